/**
 * Returns the path of PUBLIC_URL without a slash at its end, for example `/sms`; empty if there is none. A
 * proxy removes it from requests, so it is only in what browsers and programs read.
 */
export function readBasePath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '');
}
