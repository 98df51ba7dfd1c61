import type { AccountPace } from './account-pace.ts';
import { shareOf } from './fair-slots.ts';

/** How many calls of one user are in a state. */
interface Counts {
  /** Items with a slot: they are prepared for a call, or in one. */
  open: number;
  /** Calls in flight, except for stalled ones. */
  calls: number;
}

export interface SlotWorkspace extends Counts {
  /** Open items whose account is known. */
  entered: number;
}

/** A provider account as a user of slots. */
export interface SlotAccount extends Counts {
  /** Shares the slots of its workspace with other accounts. */
  isShared: boolean;
  /** Maximum number of calls in flight, with stalled ones. */
  limit: number;
  /** Calls in flight that no longer count against the workspace and the process. */
  stalled: number;
  /** No item starts before. */
  readonly pausedUntil: number;
  pace: AccountPace;
}

/** The slot of one item. An item that never calls `begin` keeps its slot until it has run. */
export interface CallSlot {
  /**
   * Names the account that the item needs; null if its workspace has only one. Returns false if the
   * account has no free slot: then the item must end, and it runs again when the account has one.
   */
  enter(accountId: string | null): boolean;
  /**
   * Waits until the prepared item may call the provider. Resolves with `closed` if the slots were
   * closed before, and with `refused` if the account failed before: then the provider must not be called.
   */
  begin(): Promise<'call' | 'closed' | 'refused'>;
  /** Frees the slot after a response, while the response is stored. Safe to call twice. */
  end(): void;
}

/** A slot as its queue sees it. */
export interface OpenSlot<Account> extends CallSlot {
  readonly account: Account | null;
  /** The account without a free slot, if `enter` returned false. */
  readonly blockedBy: Account | null;
}

/** The weight of a new duration in the moving average. */
const WEIGHT = 0.05;

/**
 * A call that takes longer than this no longer uses a slot of its process and workspace, only of its
 * account. Otherwise the slots of an account that hangs would be missing until its calls time out.
 */
const STALLED_MS = 1_000;
/** The number of stalled calls for each slot. Further ones keep their slots. */
const STALLED_PER_SLOT = 4;

/** The most calls that are in flight at the same time. */
export function maxCallsInFlight(concurrency: number): number {
  return concurrency * (1 + STALLED_PER_SLOT);
}

/** What a workspace, and an account within it, gets of the slots that the others leave. */
const PART = 3 / 4;

/** The most calls in flight with one account, while no other has any. */
export function maxCallsOfAccount(concurrency: number): number {
  return shareOf(PART, concurrency);
}

/**
 * Creates the slots for calls in flight: `concurrency` for the process, a share of them for each
 * workspace, and a share of that for each of its accounts. Measures how far ahead of a free slot items
 * are prepared.
 *
 * @param monotonic returns the time in milliseconds
 */
export function createCallSlots<Account extends SlotAccount>(
  concurrency: number,
  monotonic = () => performance.now(),
) {
  const total: Counts = { open: 0, calls: 0 };
  let stalled = 0;
  // In the order in which they were prepared.
  const prepared = new Set<{
    workspace: SlotWorkspace;
    account: Account;
    start(): void;
    cancel(why: 'closed' | 'refused'): void;
  }>();
  let closed = false;
  const preparing = createAverage();
  const calling = createAverage();

  /** As many items are prepared in addition as there are calls that end while one item is prepared. */
  function measureLead(): number {
    const [prepareMs, callMs] = [preparing.value, calling.value];
    return prepareMs === null || callMs === null ? 0 : Math.min(1, prepareMs / callMs);
  }

  function budgetOf(kind: keyof Counts, slots: number): number {
    return kind === 'calls' ? slots : Math.floor(slots * (1 + measureLead()));
  }

  function shareOfWorkspace(kind: keyof Counts, workspace: SlotWorkspace): number {
    return shareOf(PART, budgetOf(kind, concurrency), total[kind] - workspace[kind]);
  }

  function hasRoomFor(kind: keyof Counts, workspace: SlotWorkspace, account: Account): boolean {
    if (kind === 'open' && account.pausedUntil > monotonic()) return false;
    const share = shareOfWorkspace(kind, workspace);
    const others = (kind === 'open' ? workspace.entered : workspace.calls) - account[kind];
    const own = account.isShared ? shareOf(PART, share, others) : share;
    // Nothing is prepared for an account that fails, may hang or is throttled.
    const isReduced =
      account.limit < maxCallsOfAccount(concurrency) ||
      account.stalled > 0 ||
      account.pace.isLimited;
    const limit = isReduced ? account.limit : budgetOf(kind, account.limit);
    return account[kind] < own && account[kind] + account.stalled < limit;
  }

  function isFree(kind: keyof Counts, workspace: SlotWorkspace): boolean {
    if (total[kind] >= budgetOf(kind, concurrency)) return false;
    return workspace[kind] < shareOfWorkspace(kind, workspace);
  }

  function admit(): void {
    for (const next of prepared) {
      if (total.calls >= concurrency) return;
      const { workspace, account } = next;
      if (!isFree('calls', workspace) || !hasRoomFor('calls', workspace, account)) continue;
      prepared.delete(next);
      next.start();
    }
  }

  return {
    /** Whether an item of the workspace may start, whichever account it needs. */
    isFree: (workspace: SlotWorkspace) => isFree('open', workspace),

    /** Whether an item may start that needs this account. */
    hasRoomFor: (workspace: SlotWorkspace, account: Account) =>
      hasRoomFor('open', workspace, account),

    measureLead,

    /** Starts no more calls. Those in flight continue. */
    close(): void {
      closed = true;
      for (const { cancel } of prepared) cancel('closed');
      prepared.clear();
    },

    /** Refuses the items that are prepared for a call with an account. */
    refuse(account: Account): void {
      for (const next of prepared) {
        if (next.account !== account) continue;
        prepared.delete(next);
        next.cancel('refused');
      }
    },

    /**
     * Opens a slot, for an item that is expected to need the account `expected`.
     *
     * @param onFree called whenever another item may have a slot
     */
    open(
      workspace: SlotWorkspace,
      accountOf: (id: string | null) => Account,
      expected: Account | null,
      onFree: () => void,
    ): OpenSlot<Account> {
      const openedAt = monotonic();
      let account: Account | null = null;
      /** What the item has taken from the pace of its account. */
      let takenMs = 0;
      let blockedBy: Account | null = null;
      let state: 'open' | 'calling' | 'stalled' | 'ended' = 'open';
      let beganAt = 0;
      let timer: NodeJS.Timeout | undefined;

      function assign(next: Account | null): void {
        for (const [each, by] of [[account, -1] as const, [next, 1] as const]) {
          if (each === null) continue;
          each.open += by;
          workspace.entered += by;
        }
        if (state === 'open') account?.pace.giveBack(takenMs);
        takenMs = next?.pace.take() ?? 0;
        account = next;
      }

      function countCall(by: 1 | -1, caller: Account): void {
        for (const each of [total, workspace, caller]) each.calls += by;
      }

      /** Frees the slot of the process and the workspace. */
      function leave(): void {
        const caller = account;
        if (state === 'calling' && caller !== null) countCall(-1, caller);
        for (const each of [total, workspace]) each.open -= 1;
        assign(null);
        account = caller;
      }

      function stall(): void {
        if (account === null || stalled >= concurrency * STALLED_PER_SLOT) return;
        leave();
        state = 'stalled';
        stalled += 1;
        account.stalled += 1;
        admit();
        onFree();
      }

      function enter(accountId: string | null): boolean {
        const wanted = accountOf(accountId);
        if (wanted === account) return true;
        assign(null);
        // The queue has already waited for an only account.
        if (wanted.isShared && !hasRoomFor('open', workspace, wanted)) {
          blockedBy = wanted;
          return false;
        }
        assign(wanted);
        return true;
      }

      for (const each of [total, workspace]) each.open += 1;
      assign(expected);
      return {
        get account() {
          return account;
        },
        get blockedBy() {
          return blockedBy;
        },
        enter,
        begin() {
          preparing.add(monotonic() - openedAt);
          if (closed) return Promise.resolve('closed');
          const caller = account ?? accountOf(null);
          if (account === null) assign(caller);
          return new Promise((resolve) => {
            const start = (): void => {
              state = 'calling';
              beganAt = monotonic();
              countCall(1, caller);
              timer = setTimeout(stall, STALLED_MS);
              resolve('call');
            };
            prepared.add({ workspace, account: caller, start, cancel: resolve });
            admit();
          });
        },
        end() {
          if (state === 'ended') return;
          clearTimeout(timer);
          // Stalled calls say nothing about the others, for which items are prepared.
          if (state === 'calling') calling.add(monotonic() - beganAt);
          if (state !== 'stalled') leave();
          else if (account !== null) {
            stalled -= 1;
            account.stalled -= 1;
          }
          state = 'ended';
          admit();
          onFree();
        },
      };
    },
  };
}

function createAverage() {
  let value: number | null = null;
  return {
    get value() {
      return value;
    },
    add(next: number): void {
      value = value === null ? next : value + (next - value) * WEIGHT;
    },
  };
}
