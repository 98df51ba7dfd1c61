/** `Fri, 20 Nov 2026 06:00:00 +0000`: how Twilio writes a time, to the second. */
export function formatRfc2822(ms: number): string {
  return new Date(ms).toUTCString().replace('GMT', '+0000');
}
