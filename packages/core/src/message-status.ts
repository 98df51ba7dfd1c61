/**
 * The statuses of a message with their ranks. A status is only replaced by one with a higher rank, so
 * callbacks have the same result in any order and number.
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

/** Returns the rank of a status. Null has rank 0, so that every status outranks it. */
export function statusRank(status: MessageStatus | null): number {
  return status === null ? 0 : RANKS[status];
}

/** Returns the status with the higher rank, and `current` if the ranks are equal. */
export function mergeStatus(
  current: MessageStatus | null,
  next: MessageStatus | null,
): MessageStatus | null {
  return statusRank(next) > statusRank(current) ? next : current;
}

/**
 * Returns whether the service expects no further status of the message. `read` may still follow.
 */
export function isFinalStatus(status: MessageStatus): boolean {
  return statusRank(status) >= RANKS.canceled;
}

export type Outcome = 'delivered' | 'failed' | 'open';

/** Returns the outcome of a sent message; null if the message is not sent yet or was canceled. */
export function outcomeOf(status: MessageStatus): Outcome | null {
  if (status === 'scheduled' || status === 'canceled') return null;
  if (status === 'failed' || status === 'undelivered') return 'failed';
  return status === 'delivered' || status === 'read' ? 'delivered' : 'open';
}

export type Direction = 'inbound' | 'outbound';
