/** BullMQ's priorities end at 2^21. The lowest is taken first; 0 means no priority. */
const PRIORITIES = 2 ** 21 - 1;

/** The state of the queue at one moment. */
export interface QueueSnapshot {
  /** The priority of the next hint; null when none waits. */
  next: number | null;
  /** An upper bound of the hints that wait. */
  waiting: number;
}

export interface FairOrder {
  /** Returns the priority of the workspace's next hint. */
  nextPriority(workspaceId: string): number;
  /**
   * Must be called regularly: only this lowers the numbers of a workspace after its hints were
   * taken.
   */
  observe(snapshot: QueueSnapshot): void;
}

/**
 * Creates an order of the queue that is fair between workspaces (start-time fair queueing). The
 * hints of a workspace get rising numbers, which begin at the queue's current number. So hints are
 * taken as if workspaces took turns: a workspace with 100,000 waiting hints delays a hint of
 * another workspace by one hint, and keeps the order of its own hints.
 *
 * Every process assigns numbers independently, from its last snapshot of the queue. That is
 * accurate enough: a hint whose number is too low goes first, and no number can be ahead of the
 * queue by more than the queue holds. After the highest number they start again at 1, and new hints
 * go before old ones once.
 */
export function createFairOrder(): FairOrder {
  const last = new Map<string, number>();
  let start = 1;

  return {
    nextPriority(workspaceId) {
      const priority = Math.max(start, (last.get(workspaceId) ?? 0) + 1);
      last.set(workspaceId, priority > PRIORITIES ? start : priority);
      return Math.min(priority, PRIORITIES);
    },

    observe({ next, waiting }) {
      start = next ?? 1;
      for (const [workspaceId, priority] of last) {
        const bounded = Math.min(priority, start + waiting);
        // Such a workspace continues with the queue's number.
        if (bounded < start || waiting === 0) last.delete(workspaceId);
        else last.set(workspaceId, bounded);
      }
    },
  };
}
