import type { MessageStatus } from '@switchboard/core';

const STATUSES: ReadonlyMap<string, MessageStatus> = new Map([
  ['accepted', 'queued'],
  ['queued', 'queued'],
  ['scheduled', 'scheduled'],
  ['sending', 'sending'],
  ['sent', 'sent'],
  // Some recipients of several have it; Twilio has let go of it either way.
  ['partially_delivered', 'sent'],
  ['delivered', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
  ['read', 'read'],
  ['receiving', 'received'],
  ['received', 'received'],
]);

/** Our name for Twilio's status; null for one this version does not know. */
export function toMessageStatus(rawStatus: string): MessageStatus | null {
  return STATUSES.get(rawStatus) ?? null;
}
