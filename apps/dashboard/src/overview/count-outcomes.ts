import type { MessageStatus, Stats } from '@switchboard/contracts';

export interface Outcomes {
  /** Every outbound message except scheduled and canceled ones. */
  sent: number;
  delivered: number;
  failed: number;
  /** Sent messages without a final status. */
  inProgress: number;
  received: number;
  /** Messages with a future send time. */
  scheduled: number;
}

const OUTCOMES: Partial<Record<MessageStatus, 'delivered' | 'failed'>> = {
  delivered: 'delivered',
  read: 'delivered',
  failed: 'failed',
  undelivered: 'failed',
};

/** Counts the messages of an interval by outcome. Canceled messages are left out. */
export function countOutcomes(counts: Stats['data'][number]['counts']): Outcomes {
  const outcomes = { sent: 0, delivered: 0, failed: 0, inProgress: 0, received: 0, scheduled: 0 };
  for (const { direction, status, count } of counts) {
    if (direction === 'inbound') {
      outcomes.received += count;
    } else if (status === 'scheduled') {
      outcomes.scheduled += count;
    } else if (status !== 'canceled') {
      outcomes.sent += count;
      outcomes[OUTCOMES[status] ?? 'inProgress'] += count;
    }
  }
  return outcomes;
}

/** Returns the share of delivered among finished messages, or null if none is finished. */
export function deliveryRate({ delivered, failed }: Outcomes): number | null {
  return delivered + failed === 0 ? null : delivered / (delivered + failed);
}
