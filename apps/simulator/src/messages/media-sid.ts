import { createHash } from 'node:crypto';

/** The identifier of a message's media item, counted from 0. */
export function mediaSidOf(messageSid: string, index: number): string {
  return `ME${createHash('md5').update(`${messageSid}${index}`).digest('hex')}`;
}
