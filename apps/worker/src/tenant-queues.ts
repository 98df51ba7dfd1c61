/** An item of work for a workspace. Items with the same `id` are the same work. */
export interface TenantItem {
  id: string;
  workspaceId: string;
}

/** The result of an item, as far as it affects its queue. */
export interface RunResult {
  /** Whether the provider answered; null if it was not called. */
  healthy: boolean | null;
  /** The milliseconds during which the queue starts no more items. */
  pauseMs: number;
  /** Whether the item must run again. */
  again: boolean;
}

export interface TenantQueuesOptions<Item extends TenantItem> {
  /** Maximum number of items in flight, over all queues. */
  concurrency: number;
  /** Maximum number of items that wait in one queue. Further ones are refused. */
  maxWaiting: number;
  /** Maximum number of items that wait in all queues. Beyond it, a new item replaces one of the longest queue. */
  maxWaitingInAll: number;
  /** Must not throw. */
  run(item: Item): Promise<RunResult>;
}

export interface TenantQueues<Item extends TenantItem> {
  /** Adds an item without waiting. Returns false if the queue is full or stopped. */
  add(item: Item): boolean;
  /**
   * Resolves once the queue has few items waiting, and at the latest after `timeoutMs`. A caller that
   * waits before it adds more items leaves a backlog to other processes. A queue without progress
   * delays the caller no longer than `timeoutMs`. Resolves immediately for a queue whose provider
   * fails.
   */
  waitForCapacity(workspaceId: string, timeoutMs: number): Promise<void>;
  /** Starts no more items of the queue. Waiting items stay. */
  hold(workspaceId: string): void;
  /** Holds these queues and no others. */
  holdOnly(held: ReadonlySet<string>): void;
  /**
   * Returns how many more items fit: in total, in each queue that has items, and in any other
   * queue. A few are accepted even if all queues are full, and replace items of longer queues.
   */
  measureCapacity(): { limit: number; capacities: Map<string, number>; capacityOfOthers: number };
  /** Number of items that wait, without those in flight. */
  readonly waiting: number;
  readonly inFlight: number;
  /** Starts no more items and returns those that waited. */
  stop(): Item[];
  /** Resolves when no item is in flight. */
  idle(): Promise<void>;
}

interface TenantQueue<Item> {
  waiting: Map<string, Item>;
  inFlight: number;
  /** Maximum number of items in flight: halves with every failure, grows by one with every success. */
  limit: number;
  pausedUntil: number;
  timer: NodeJS.Timeout | null;
  /** Callbacks of callers that wait for capacity. */
  waiters: Set<() => void>;
}

/**
 * Creates fair queues in memory, one for each workspace. Queues take turns, so a backlog of one delays
 * another by one turn. One queue gets at most three quarters of the slots, and a queue whose provider
 * fails or hangs soon gets only one slot, until the provider answers again. So a failed provider
 * takes only that slot from the other queues.
 *
 * The queues hold only hints and copies of rows, so a process that dies loses no message.
 */
export function createTenantQueues<Item extends TenantItem>(
  options: TenantQueuesOptions<Item>,
): TenantQueues<Item> {
  const { concurrency, maxWaiting, maxWaitingInAll } = options;
  const maxLimit = concurrency - Math.floor(concurrency / 4);
  const queues = new Map<string, TenantQueue<Item>>();
  // Queues with waiting items, in the order of their turns.
  const turns = new Set<string>();
  let held: ReadonlySet<string> = new Set();
  let waiting = 0;
  let inFlight = 0;
  let stopped = false;
  let whenIdle: (() => void)[] = [];

  function queueOf(key: string): TenantQueue<Item> {
    let queue = queues.get(key);
    if (queue === undefined) {
      queue = {
        waiting: new Map(),
        inFlight: 0,
        limit: maxLimit,
        pausedUntil: 0,
        timer: null,
        waiters: new Set(),
      };
      queues.set(key, queue);
    }
    return queue;
  }

  function start(): void {
    for (const key of turns) {
      if (stopped || inFlight >= concurrency) return;
      const queue = queueOf(key);
      if (queue.inFlight >= queue.limit || queue.pausedUntil > performance.now() || held.has(key)) {
        continue;
      }
      const [item] = queue.waiting.values();
      turns.delete(key);
      if (item === undefined) continue;
      queue.waiting.delete(item.id);
      waiting -= 1;
      if (hasCapacity(queue)) wake(queue);
      // Moves the queue to the end of the order, which this loop reaches again.
      if (queue.waiting.size > 0) turns.add(key);
      void work(item, queue);
    }
  }

  /** A queue keeps as many items ready as can be in flight, so that a free slot never waits. */
  function hasCapacity(queue: TenantQueue<Item>): boolean {
    return queue.waiting.size < concurrency;
  }

  function wake(queue: TenantQueue<Item>): void {
    for (const end of queue.waiters) end();
  }

  async function work(item: Item, queue: TenantQueue<Item>): Promise<void> {
    inFlight += 1;
    queue.inFlight += 1;
    const result = await options.run(item);
    inFlight -= 1;
    queue.inFlight -= 1;
    if (result.healthy === true) queue.limit = Math.min(maxLimit, queue.limit + 1);
    if (result.healthy === false) queue.limit = Math.max(1, Math.floor(queue.limit / 2));
    if (result.pauseMs > 0) pause(queue, result.pauseMs);
    if (result.again) add(item);
    deleteIfIdle(item.workspaceId, queue);
    start();
    if (inFlight === 0) {
      for (const resolve of whenIdle) resolve();
      whenIdle = [];
    }
  }

  function pause(queue: TenantQueue<Item>, pauseMs: number): void {
    const until = performance.now() + pauseMs;
    if (stopped || until <= queue.pausedUntil) return;
    queue.pausedUntil = until;
    if (queue.timer !== null) clearTimeout(queue.timer);
    queue.timer = setTimeout(() => {
      queue.timer = null;
      queue.pausedUntil = 0;
      start();
    }, pauseMs);
  }

  /** Deletes a queue that holds no items and no state. */
  function deleteIfIdle(key: string, queue: TenantQueue<Item>): void {
    if (queue.inFlight + queue.waiting.size > 0 || queue.limit < maxLimit || queue.timer !== null)
      return;
    queues.delete(key);
  }

  /** Returns whether the queue may hold one more item. May drop the last item of the longest queue. */
  function makeSpace(queue: TenantQueue<Item>): boolean {
    if (queue.waiting.size >= maxWaiting) return false;
    if (waiting < maxWaitingInAll) return true;
    let longest = queue;
    for (const other of queues.values()) {
      if (other.waiting.size > longest.waiting.size) longest = other;
    }
    if (longest.waiting.size <= queue.waiting.size + 1) return false;
    const last = [...longest.waiting.keys()].at(-1);
    if (last !== undefined && longest.waiting.delete(last)) waiting -= 1;
    return true;
  }

  function add(item: Item): boolean {
    if (stopped) return false;
    const queue = queueOf(item.workspaceId);
    if (!queue.waiting.has(item.id)) {
      if (!makeSpace(queue)) {
        deleteIfIdle(item.workspaceId, queue);
        return false;
      }
      waiting += 1;
    }
    // A newer item replaces the waiting one with the same id and keeps its place.
    queue.waiting.set(item.id, item);
    turns.add(item.workspaceId);
    start();
    return true;
  }

  return {
    add,
    async waitForCapacity(key, timeoutMs) {
      const queue = queues.get(key);
      if (queue === undefined || stopped || held.has(key)) return;
      if (queue.limit < maxLimit || hasCapacity(queue)) return;
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          queue.waiters.delete(end);
          resolve();
        };
        const timer = setTimeout(end, timeoutMs);
        queue.waiters.add(end);
      });
    },
    hold(key) {
      held = new Set([...held, key]);
    },
    holdOnly(keys) {
      held = keys;
      start();
    },
    measureCapacity() {
      const capacities = new Map<string, number>();
      for (const [key, queue] of queues) {
        if (queue.waiting.size > 0) capacities.set(key, maxWaiting - queue.waiting.size);
      }
      const limit = Math.max(concurrency, maxWaitingInAll - waiting);
      return { limit, capacities, capacityOfOthers: maxWaiting };
    },
    get waiting() {
      return waiting;
    },
    get inFlight() {
      return inFlight;
    },
    stop() {
      stopped = true;
      const left: Item[] = [];
      for (const queue of queues.values()) {
        left.push(...queue.waiting.values());
        queue.waiting.clear();
        wake(queue);
        if (queue.timer !== null) clearTimeout(queue.timer);
      }
      waiting = 0;
      turns.clear();
      return left;
    },
    async idle() {
      if (inFlight > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
    },
  };
}
