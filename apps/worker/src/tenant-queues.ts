import { createCallSlots } from './call-slots.ts';
import {
  type RunItem,
  type TenantItem,
  type TenantQueue,
  type TenantQueuesOptions,
  createTenantQueue,
} from './tenant-queue.ts';

export interface TenantQueues<Item extends TenantItem> {
  /** Starts items from now on. Until then, they wait. */
  start(run: RunItem<Item>): void;
  /** Adds an item without waiting. Returns false if the queue is full or stopped. */
  add(item: Item): boolean;
  /**
   * Resolves once the queue has few items waiting, and at the latest after `timeoutMs`. A caller that
   * waits before it adds more items leaves a backlog to other processes. A queue without progress
   * delays the caller no longer than `timeoutMs`. Resolves immediately for a queue whose only account
   * fails.
   */
  waitForCapacity(workspaceId: string, timeoutMs: number): Promise<void>;
  /** Starts no more items of the queue. Waiting items stay. */
  hold(workspaceId: string): void;
  /** Holds these queues and no others. */
  holdOnly(held: ReadonlySet<string>): void;
  /**
   * Lets the items of a workspace choose their accounts again, because the state of one has changed.
   * Items that are prepared for a call with `pausedAccountId` are not sent with it.
   */
  chooseAgain(workspaceId: string, pausedAccountId?: string): void;
  /**
   * Returns how long an item that needs this account would wait because the account is throttled or pauses,
   * in milliseconds.
   */
  measureWait(workspaceId: string, accountId: string): number;
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

/**
 * Limits the items whose responses are being stored, for each slot. Items are stored in batches, so
 * there are many of them while calls are short.
 */
const MAX_RUNNING_PER_SLOT = 8;

/**
 * Creates fair queues in memory, one for each workspace. Queues take turns, so a backlog of one delays
 * another by one turn. Slots are shared between workspaces, and those of a workspace between its
 * accounts (`call-slots.ts`). An account that fails soon gets only one slot, until its provider answers
 * again, and its items wait apart. Items of healthy accounts are prepared before a slot is free.
 *
 * The queues hold only hints and copies of rows, so a process that dies loses no message.
 */
export function createTenantQueues<Item extends TenantItem>(
  options: TenantQueuesOptions,
): TenantQueues<Item> {
  const { concurrency, maxWaiting, maxWaitingInAll } = options;
  const queues = new Map<string, TenantQueue<Item>>();
  // Queues with waiting items, in the order of their turns.
  const turns = new Set<string>();
  let held: ReadonlySet<string> = new Set();
  let waiting = 0;
  let running = 0;
  const slots = createCallSlots<ReturnType<TenantQueue<Item>['accountOf']>>(concurrency);
  let runItem: RunItem<Item> | null = null;
  let stopped = false;
  let whenIdle: (() => void)[] = [];

  function queueOf(key: string): TenantQueue<Item> {
    let queue = queues.get(key);
    if (queue === undefined) {
      queue = createTenantQueue<Item>(options, slots.hasRoomFor, startNext);
      queues.set(key, queue);
    }
    return queue;
  }

  function startNext(): void {
    if (runItem === null) return;
    for (const key of turns) {
      if (stopped || running >= concurrency * MAX_RUNNING_PER_SLOT) return;
      if (held.has(key)) continue;
      const queue = queueOf(key);
      if (!slots.isFree(queue.usage)) continue;
      const next = queue.take();
      if (next === null) {
        if (queue.size === 0) turns.delete(key);
        continue;
      }
      waiting -= 1;
      if (queue.hasCapacity()) wake(queue);
      // Moves the queue to the end of the order, which this loop reaches again.
      turns.delete(key);
      if (queue.size > 0) turns.add(key);
      void work(runItem, next.item, queue, next.expected);
    }
  }

  function wake(queue: TenantQueue<Item>): void {
    for (const end of queue.waiters) end();
  }

  async function work(
    run: RunItem<Item>,
    item: Item,
    queue: TenantQueue<Item>,
    expected: Parameters<typeof slots.open>[2],
  ): Promise<void> {
    running += 1;
    queue.running += 1;
    const slot = slots.open(queue.usage, queue.accountOf, expected, startNext);
    const result = await run(item, slot);
    running -= 1;
    queue.running -= 1;
    if (slot.account !== null && !stopped) queue.record(slot.account, result);
    slot.end();
    if (slot.blockedBy !== null) block(item, queue, slot.blockedBy);
    else if (result.again) add(item);
    deleteIfIdle(item.workspaceId, queue);
    startNext();
    if (running === 0) {
      for (const resolve of whenIdle) resolve();
      whenIdle = [];
    }
  }

  /** An item for which there is no space is found again by its row. */
  function block(
    item: Item,
    queue: TenantQueue<Item>,
    account: ReturnType<typeof queue.accountOf>,
  ): void {
    if (stopped || queue.has(item.id) || waiting >= maxWaitingInAll) return;
    if (!queue.block(item, account)) return;
    waiting += 1;
    turns.add(item.workspaceId);
  }

  /** Deletes a queue that holds no items and no state. */
  function deleteIfIdle(key: string, queue: TenantQueue<Item>): void {
    if (queue.isIdle()) queues.delete(key);
  }

  /** Returns whether the queue may hold one more item. May drop the last item of the longest queue. */
  function makeSpace(queue: TenantQueue<Item>): boolean {
    if (queue.waiting >= maxWaiting) return false;
    if (waiting < maxWaitingInAll) return true;
    let longest = queue;
    for (const other of queues.values()) {
      if (other.waiting > longest.waiting) longest = other;
    }
    if (longest.waiting <= queue.waiting + 1) return false;
    if (longest.dropLast()) waiting -= 1;
    return true;
  }

  function add(item: Item): boolean {
    if (stopped) return false;
    const queue = queueOf(item.workspaceId);
    if (!queue.has(item.id)) {
      if (!makeSpace(queue)) {
        deleteIfIdle(item.workspaceId, queue);
        return false;
      }
      waiting += 1;
    }
    queue.put(item);
    turns.add(item.workspaceId);
    startNext();
    return true;
  }

  return {
    start(run) {
      runItem = run;
      startNext();
    },
    add,
    async waitForCapacity(key, timeoutMs) {
      const queue = queues.get(key);
      if (queue === undefined || stopped || held.has(key)) return;
      if (queue.isFailing() || queue.hasCapacity()) return;
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
      startNext();
    },
    chooseAgain(key, pausedAccountId) {
      const queue = queues.get(key);
      if (queue === undefined) return;
      queue.unblock();
      if (pausedAccountId !== undefined) {
        for (const account of queue.listAccounts(pausedAccountId)) slots.refuse(account);
      }
      startNext();
    },
    measureWait: (key, accountId) => queues.get(key)?.measureWait(accountId) ?? 0,
    measureCapacity() {
      const capacities = new Map<string, number>();
      for (const [key, queue] of queues) {
        if (queue.size > 0) capacities.set(key, queue.capacity);
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
        left.push(...queue.clear());
        wake(queue);
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
