/** BullMQ's priorities end at 2^21; the lowest is taken first, and 0 is none. */
const PRIORITIES = 2 ** 21 - 1;

/** What the queue holds at a moment. */
export interface QueueSight {
  /** The priority of the hint that is next; null when none waits. */
  next: number | null;
  /** At most so many. */
  waiting: number;
}

export interface FairOrder {
  /** The priority of the workspace's next hint. */
  nextPriority(workspaceId: string): number;
  /** To be told now and then, or else a workspace never gets rid of its past. */
  observe(sight: QueueSight): void;
}

/**
 * The queue's order, fair between workspaces (start-time fair queueing): a workspace's hints get
 * rising numbers, its first the number that the queue is at. So hints are taken as if workspaces
 * took turns: one with 100,000 waiting delays another's by one, and its own keep their order.
 *
 * Every process numbers by itself and knows the queue as of its last look, which is near enough:
 * a number that is too low goes first, and none can run ahead of the queue by more than it holds.
 * Should numbers run out, they start again at 1; then new hints go before old ones, once.
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
        // The next number of such a workspace is the queue's own.
        if (bounded < start || waiting === 0) last.delete(workspaceId);
        else last.set(workspaceId, bounded);
      }
    },
  };
}
