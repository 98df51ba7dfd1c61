import type { MessageStatus } from '@switchboard/core';

const STATUSES: ReadonlyMap<string, MessageStatus> = new Map([
  ['scheduled', 'scheduled'],
  ['queued', 'queued'],
  ['sending', 'sending'],
  ['sent', 'sent'],
  // The carrier sends no delivery receipt, so nothing more is known.
  ['delivery_unconfirmed', 'sent'],
  ['sending_failed', 'failed'],
  ['expired', 'failed'],
  ['delivery_failed', 'undelivered'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['webhook_delivered', 'received'],
]);

/** Maps a Telnyx status to ours; null for an unknown status. */
export function toMessageStatus(rawStatus: string): MessageStatus | null {
  return STATUSES.get(rawStatus) ?? null;
}
