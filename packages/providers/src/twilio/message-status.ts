import type { MessageStatus } from '@switchboard/core';

const STATUSES: ReadonlyMap<string, MessageStatus> = new Map([
  ['accepted', 'queued'],
  ['queued', 'queued'],
  ['scheduled', 'scheduled'],
  ['sending', 'sending'],
  ['sent', 'sent'],
  // Some of several recipients received it. Twilio sends no further status.
  ['partially_delivered', 'sent'],
  ['delivered', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
  ['read', 'read'],
  ['receiving', 'received'],
  ['received', 'received'],
]);

/** Maps a Twilio status to ours; null for an unknown status. */
export function toMessageStatus(rawStatus: string): MessageStatus | null {
  return STATUSES.get(rawStatus) ?? null;
}
