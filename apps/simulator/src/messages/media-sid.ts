import { createHash } from 'node:crypto';

/** Returns the identifier of a message's media item. `index` starts at 0. */
export function mediaSidOf(messageSid: string, index: number): string {
  return `ME${createHash('md5').update(`${messageSid}${index}`).digest('hex')}`;
}
