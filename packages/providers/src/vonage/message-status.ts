import type { MessageStatus } from '@switchboard/core';

const STATUSES: ReadonlyMap<string, MessageStatus> = new Map([
  ['submitted', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['rejected', 'failed'],
  ['undeliverable', 'undelivered'],
]);

/** Maps a Vonage status to ours; null for an unknown status. */
export function toMessageStatus(rawStatus: string): MessageStatus | null {
  return STATUSES.get(rawStatus) ?? null;
}
