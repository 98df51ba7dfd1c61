import type { MessageStatus, Stats } from '@switchboard/contracts';

export interface Outcomes {
  /** All that has gone out or is on its way. */
  sent: number;
  delivered: number;
  failed: number;
  /** Neither yet. */
  underway: number;
  received: number;
  /** To go out later. */
  scheduled: number;
}

const OUTCOMES: Partial<Record<MessageStatus, 'delivered' | 'failed'>> = {
  delivered: 'delivered',
  read: 'delivered',
  failed: 'failed',
  undelivered: 'failed',
};

/** What became of the messages of an interval. Canceled ones were never sent. */
export function countOutcomes(counts: Stats['data'][number]['counts']): Outcomes {
  const outcomes = { sent: 0, delivered: 0, failed: 0, underway: 0, received: 0, scheduled: 0 };
  for (const { direction, status, count } of counts) {
    if (direction === 'inbound') {
      outcomes.received += count;
    } else if (status === 'scheduled') {
      outcomes.scheduled += count;
    } else if (status !== 'canceled') {
      outcomes.sent += count;
      outcomes[OUTCOMES[status] ?? 'underway'] += count;
    }
  }
  return outcomes;
}

/** Of those whose end is known; null where none is. */
export function deliveryRate({ delivered, failed }: Outcomes): number | null {
  return delivered + failed === 0 ? null : delivered / (delivered + failed);
}
