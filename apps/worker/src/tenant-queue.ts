import { createAccountPace } from './account-pace.ts';
import {
  type CallSlot,
  type SlotAccount,
  type SlotWorkspace,
  maxCallsOfAccount,
} from './call-slots.ts';

/** An item of work for a workspace. Items with the same `id` are the same work. */
export interface TenantItem {
  id: string;
  workspaceId: string;
}

/** The result of an item, as far as it affects its queue. */
export interface RunResult {
  /** Whether the provider answered; null if it was not called, or throttled the call. */
  healthy: boolean | null;
  /** The provider throttled the call, so the account is called more slowly. Default: false. */
  isThrottled?: boolean;
  /** For how many milliseconds no more items start that need the same account. */
  pauseMs: number;
  /** Whether the item must run again. */
  again: boolean;
}

export interface TenantQueuesOptions {
  /** Maximum number of calls in flight, over all queues, except for stalled ones. */
  concurrency: number;
  /**
   * Maximum number of items that wait in one queue. Further ones are refused. Half as many more wait
   * for each account of the workspace that has no free slot.
   */
  maxWaiting: number;
  /**
   * Maximum number of items that wait in all queues. Above it, a new item replaces an item of the
   * longest queue.
   */
  maxWaitingInAll: number;
}

/** Runs an item. Must not throw. `slot` is the item's place among the calls in flight. */
export type RunItem<Item extends TenantItem> = (item: Item, slot: CallSlot) => Promise<RunResult>;

/** A provider account of the workspace, or the only one. */
interface QueuedAccount<Item> extends SlotAccount {
  /** Items that need the account and wait until it has a slot. */
  blocked: Map<string, Item>;
  respondedAt: number;
  /** Until then, nothing is sent, whatever the pace is. */
  heldUntil: number;
  timer: NodeJS.Timeout | null;
}

/** An account with stalled calls that has answered none for this long is not expected to answer. */
const HUNG_MS = 3_000;

export type TenantQueue<Item extends TenantItem> = ReturnType<typeof createTenantQueue<Item>>;

/**
 * Creates the queue of one workspace. Items wait in one order until one of them is found to need an
 * account without a free slot. Such items wait for their account, so they delay no others.
 */
export function createTenantQueue<Item extends TenantItem>(
  { concurrency, maxWaiting }: Pick<TenantQueuesOptions, 'concurrency' | 'maxWaiting'>,
  hasRoomFor: (usage: SlotWorkspace, account: QueuedAccount<Item>) => boolean,
  onResume: () => void,
) {
  /** Maximum number of calls in flight: halves with every failure, grows by one with every success. */
  const maxLimit = maxCallsOfAccount(concurrency);
  const usage: SlotWorkspace = { open: 0, calls: 0, entered: 0 };
  const waiting = new Map<string, Item>();
  const accounts = new Map<string | null, QueuedAccount<Item>>();
  /** The only account, if the workspace had no other when the latest item ran. */
  let only: QueuedAccount<Item> | null = null;

  function getAccount(id: string | null): QueuedAccount<Item> {
    let account = accounts.get(id);
    if (account === undefined) {
      account = {
        isShared: id !== null,
        open: 0,
        calls: 0,
        stalled: 0,
        limit: maxLimit,
        blocked: new Map(),
        respondedAt: performance.now(),
        heldUntil: 0,
        pace: createAccountPace(),
        get pausedUntil() {
          return Math.max(this.heldUntil, this.pace.nextAt);
        },
        timer: null,
      };
      accounts.set(id, account);
    }
    return account;
  }

  function accountOf(id: string | null): QueuedAccount<Item> {
    const account = getAccount(id);
    only = id === null ? account : null;
    return account;
  }

  only = getAccount(null);

  /** Whether to wait for the account, because its items will have their turn. */
  function isWorking({ limit, stalled, respondedAt, pace }: QueuedAccount<Item>): boolean {
    const isHung = stalled > 0 && performance.now() - respondedAt > HUNG_MS;
    return limit === maxLimit && !isHung && !pace.isLimited;
  }

  /** Whether an item of the account may start. If it is only too early, starts items when it no longer is. */
  function mayStart(account: QueuedAccount<Item>): boolean {
    if (hasRoomFor(usage, account)) return true;
    const pauseMs = account.pausedUntil - performance.now();
    if (pauseMs > 0 && account.timer === null) {
      account.timer = setTimeout(() => {
        account.timer = null;
        onResume();
      }, pauseMs);
    }
    return false;
  }

  /** The other items wait too, so that a backlog stays where the order is fair. */
  function hasBacklog(account: QueuedAccount<Item>): boolean {
    return account.blocked.size > Math.floor(maxWaiting / 4) && isWorking(account);
  }

  const queue = {
    usage,
    accountOf,
    /** Items that run. */
    running: 0,
    /** Callbacks of callers that wait for capacity. */
    waiters: new Set<() => void>(),

    has: (id: string) =>
      waiting.has(id) || [...accounts.values()].some(({ blocked }) => blocked.has(id)),

    /** A newer item replaces the waiting one with the same id and keeps its place. */
    put(item: Item): void {
      const account = [...accounts.values()].find(({ blocked }) => blocked.has(item.id));
      (account?.blocked ?? waiting).set(item.id, item);
    },

    /** Keeps an item until its account has a slot. Returns false if too many items wait for it. */
    block(item: Item, { blocked }: QueuedAccount<Item>): boolean {
      if (blocked.size >= Math.floor(maxWaiting / 2)) return false;
      blocked.set(item.id, item);
      return true;
    },

    /**
     * Takes the next item that may start, and the account that it is expected to need. Items that
     * waited for an account come first.
     */
    take(): { item: Item; expected: QueuedAccount<Item> | null } | null {
      for (const account of accounts.values()) {
        const [item] = account.blocked.values();
        if (item === undefined || !mayStart(account)) continue;
        account.blocked.delete(item.id);
        return { item, expected: account };
      }
      const [item] = waiting.values();
      if (item === undefined || [...accounts.values()].some(hasBacklog)) return null;
      if (only !== null && !mayStart(only)) return null;
      waiting.delete(item.id);
      return { item, expected: only };
    },

    /** Lets the items that wait for an account choose again. */
    unblock(): void {
      for (const { blocked } of accounts.values()) {
        for (const item of blocked.values()) waiting.set(item.id, item);
        blocked.clear();
      }
    },

    record(account: QueuedAccount<Item>, { healthy, pauseMs, isThrottled }: RunResult): void {
      if (healthy === true) {
        account.limit = Math.min(maxLimit, account.limit + 1);
        account.respondedAt = performance.now();
        account.pace.accept();
      }
      if (healthy === false) account.limit = Math.max(1, Math.floor(account.limit / 2));
      if (isThrottled === true) account.pace.throttle();
      account.heldUntil = Math.max(account.heldUntil, performance.now() + pauseMs);
    },

    /** Removes the item that was added last. Returns false if there is none. */
    dropLast(): boolean {
      const last = [...waiting.keys()].at(-1);
      return last !== undefined && waiting.delete(last);
    },

    /** Whether the queue needs more items, so that a free slot never waits. */
    hasCapacity: () => waiting.size < concurrency,

    /** Whether an only account fails, so that its items must not block those behind them. */
    isFailing: () => only !== null && !isWorking(only),

    /** How long an item that needs this account would wait for its turn, in milliseconds. */
    measureWait(id: string): number {
      const account = accounts.get(id);
      if (account === undefined) return 0;
      const { blocked, pace, pausedUntil } = account;
      return Math.max(0, pausedUntil - performance.now()) + blocked.size * pace.gapMs;
    },

    /** Whether the queue holds no items and no state. */
    isIdle: () =>
      queue.running === 0 &&
      queue.size === 0 &&
      [...accounts.values()].every(
        ({ limit, pausedUntil, pace, stalled }) =>
          limit === maxLimit &&
          stalled === 0 &&
          !pace.isLimited &&
          pausedUntil <= performance.now(),
      ),

    /** Number of items that wait for a turn, without those that wait for an account. */
    get waiting() {
      return waiting.size;
    },

    /** Number of items that wait. */
    get size() {
      return [...accounts.values()].reduce((sum, { blocked }) => sum + blocked.size, waiting.size);
    },

    /** Number of items that are missing until the queue is full. Blocked items leave half of it to others. */
    get capacity() {
      const blocked = Math.min(queue.size - waiting.size, Math.floor(maxWaiting / 2));
      return Math.max(0, maxWaiting - waiting.size - blocked);
    },

    /** Removes and returns all items. */
    clear(): Item[] {
      queue.unblock();
      const items = [...waiting.values()];
      waiting.clear();
      for (const { timer } of accounts.values()) if (timer !== null) clearTimeout(timer);
      return items;
    },

    /** Returns the account of this id, if an item has needed it; without an id, all of them. */
    listAccounts: (id?: string) =>
      [...accounts].flatMap(([key, account]) =>
        id === undefined || key === id || key === null ? [account] : [],
      ),
  };
  return queue;
}
