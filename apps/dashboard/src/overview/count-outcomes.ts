import { type Stats, outcomeOf } from '@switchboard/contracts';

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

/** Counts the messages of an interval by outcome. Canceled messages are left out. */
export function countOutcomes(counts: Stats['data'][number]['counts']): Outcomes {
  const outcomes = { sent: 0, delivered: 0, failed: 0, inProgress: 0, received: 0, scheduled: 0 };
  for (const { direction, status, count } of counts) {
    if (direction === 'inbound') {
      outcomes.received += count;
    } else if (status === 'scheduled') {
      outcomes.scheduled += count;
    }
    const outcome = direction === 'outbound' ? outcomeOf(status) : null;
    if (outcome === null) continue;
    outcomes.sent += count;
    outcomes[outcome === 'open' ? 'inProgress' : outcome] += count;
  }
  return outcomes;
}

/** Returns the share of delivered among finished messages, or null if none is finished. */
export function deliveryRate({
  delivered,
  failed,
}: Pick<Outcomes, 'delivered' | 'failed'>): number | null {
  return delivered + failed === 0 ? null : delivered / (delivered + failed);
}
