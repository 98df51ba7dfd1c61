import { type CallSlot, type SlotUser, createCallSlots } from './call-slots.ts';

/** An item of work for a workspace. Items with the same `id` are the same work. */
export interface TenantItem {
  id: string;
  workspaceId: string;
}

/** The result of an item, as far as it affects its queue. */
export interface RunResult {
  /** Whether the provider answered; null if it was not called. */
  healthy: boolean | null;
  /** For how many milliseconds the queue starts no more items. */
  pauseMs: number;
  /** Whether the item must run again. */
  again: boolean;
}

export interface TenantQueuesOptions<Item extends TenantItem> {
  /** Maximum number of calls in flight, over all queues. */
  concurrency: number;
  /** Maximum number of items that wait in one queue. Further ones are refused. */
  maxWaiting: number;
  /**
   * Maximum number of items that wait in all queues. Above it, a new item replaces an item of the
   * longest queue.
   */
  maxWaitingInAll: number;
  /** Must not throw. `slot` is the item's place among the calls in flight. */
  run(item: Item, slot: CallSlot): Promise<RunResult>;
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
  /** Number of items that wait, not counting those in flight. */
  readonly waiting: number;
  readonly inFlight: number;
  /** Starts no more items and no more calls, and returns the items that waited. */
  stop(): Item[];
  /** Resolves when no item is in flight. */
  idle(): Promise<void>;
}

interface TenantQueue<Item> extends SlotUser {
  waiting: Map<string, Item>;
  /** Items that run, and those of them that have a slot or are prepared for one. */
  running: number;
  inFlight: number;
  /** Maximum number of calls in flight: halves with every failure, grows by one with every success. */
  limit: number;
  pausedUntil: number;
  timer: NodeJS.Timeout | null;
  /** Callbacks of callers that wait for capacity. */
  waiters: Set<() => void>;
}

/**
 * Limits the items whose responses are being stored, for each slot. Items are stored in batches, so
 * there are many of them while calls are short.
 */
const MAX_RUNNING_PER_SLOT = 8;

/**
 * Creates fair queues in memory, one for each workspace. Queues take turns, so a backlog of one delays
 * another by one turn. One queue gets at most three quarters of the slots, and a queue whose provider
 * fails or hangs soon gets only one slot, until the provider answers again. So a failed provider
 * takes only that slot from the other queues. Items of healthy queues are prepared before a slot is free.
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
  let running = 0;
  let inFlight = 0;
  const slots = createCallSlots(concurrency);
  let stopped = false;
  let whenIdle: (() => void)[] = [];

  function queueOf(key: string): TenantQueue<Item> {
    let queue = queues.get(key);
    if (queue === undefined) {
      queue = {
        waiting: new Map(),
        running: 0,
        inFlight: 0,
        calls: 0,
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
    const lead = slots.measureLead();
    const most = Math.floor(concurrency * (1 + lead));
    for (const key of turns) {
      if (stopped || inFlight >= most || running >= concurrency * MAX_RUNNING_PER_SLOT) return;
      const queue = queueOf(key);
      const limit = queue.limit < maxLimit ? queue.limit : Math.floor(maxLimit * (1 + lead));
      if (queue.inFlight >= limit || queue.pausedUntil > performance.now() || held.has(key)) {
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
    running += 1;
    queue.running += 1;
    inFlight += 1;
    queue.inFlight += 1;
    const slot = slots.open(queue, () => {
      inFlight -= 1;
      queue.inFlight -= 1;
      start();
    });
    const result = await options.run(item, slot);
    running -= 1;
    queue.running -= 1;
    if (result.healthy === true) queue.limit = Math.min(maxLimit, queue.limit + 1);
    if (result.healthy === false) queue.limit = Math.max(1, Math.floor(queue.limit / 2));
    if (result.pauseMs > 0) pause(queue, result.pauseMs);
    slot.end();
    if (result.again) add(item);
    deleteIfIdle(item.workspaceId, queue);
    start();
    if (running === 0) {
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
    if (queue.running + queue.waiting.size > 0 || queue.limit < maxLimit || queue.timer !== null)
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
      return running;
    },
    stop() {
      stopped = true;
      slots.close();
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
      if (running > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
    },
  };
}
