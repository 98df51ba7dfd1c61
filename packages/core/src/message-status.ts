/**
 * The statuses a message can show, with their rank. A status only ever changes to one of a higher
 * rank, so callbacks give the same end in any order and any number.
 */
const RANKS = {
  scheduled: 5,
  queued: 10,
  sending: 30,
  sent: 40,
  canceled: 50,
  failed: 52,
  undelivered: 54,
  delivered: 60,
  received: 60,
  read: 70,
} as const;

export type MessageStatus = keyof typeof RANKS;

export const MESSAGE_STATUSES = Object.keys(RANKS) as readonly MessageStatus[];

export function isMessageStatus(value: unknown): value is MessageStatus {
  return typeof value === 'string' && Object.hasOwn(RANKS, value);
}

/** 0 for "nothing known yet", so that any status outranks it. */
export function statusRank(status: MessageStatus | null): number {
  return status === null ? 0 : RANKS[status];
}

/** The one of the two that ranks higher; `current` on a tie. */
export function mergeStatus(
  current: MessageStatus | null,
  next: MessageStatus | null,
): MessageStatus | null {
  return statusRank(next) > statusRank(current) ? next : current;
}

/** Whether the provider has nothing more to tell that we would wait for (`read` may still come). */
export function isFinalStatus(status: MessageStatus): boolean {
  return statusRank(status) >= RANKS.canceled;
}

export type Direction = 'inbound' | 'outbound';
