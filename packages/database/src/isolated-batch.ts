import { createBatch, createFairTurns } from '@switchboard/core';
import { isBlocked } from './sql-error.ts';

export interface IsolatedBatchOptions<In, Out> {
  workspaceOf(item: In): string;
  /**
   * Stores the items in one statement, which waits at most `lockTimeoutMs` for a lock. `isAlone`: all
   * items belong to one workspace, so a slow statement does not delay others.
   */
  run(
    items: readonly In[],
    how: { lockTimeoutMs: number; isAlone: boolean },
  ): Promise<readonly Out[]>;
  /**
   * Returns whether after this rejection nothing is stored and one workspace may be the cause. Default:
   * another transaction blocked the statement.
   */
  isCausedByOne?(error: unknown): boolean;
  maxSize: number;
  concurrency: number;
  besideAfterMs?: number;
  halvesFrom?: number;
  gather?: { from: number; ms: number };
  maxWaiting: number;
}

/** Longer than the commits of other processes take, and too short for a client to notice. */
const SHARED_LOCK_TIMEOUT_MS = 250;
/**
 * A workspace that runs alone delays no others. After this time, its items fail as not stored and
 * can be retried.
 */
const ALONE_LOCK_TIMEOUT_MS = 2_000;
/** How long a workspace that was blocked stays out of the shared batches. */
const STAYS_ALONE_MS = 5_000;
/** The maximum number of connections of all blocked workspaces together. */
const MAX_ALONE = 4;

interface Alone<In, Out> {
  add(item: In): Promise<Out>;
  waiting: number;
  until: number;
}

/**
 * Creates a group commit for all workspaces. A workspace whose rows are locked or whose data is refused
 * does not delay others: a failed batch runs again for each workspace separately, and a workspace that
 * was blocked then stays separate for a while.
 */
export function createIsolatedBatch<In, Out>(options: IsolatedBatchOptions<In, Out>) {
  const { workspaceOf, run, maxSize, maxWaiting, isCausedByOne = isBlocked } = options;
  const alone = new Map<string, Alone<In, Out>>();
  const takeTurn = createFairTurns(MAX_ALONE);

  // An item whose result is a promise does not delay the end of the batch, so the next batch can
  // start.
  const share = createBatch<In, Out | Promise<Out>>({
    ...options,
    async run(items) {
      try {
        return await run(items, { lockTimeoutMs: SHARED_LOCK_TIMEOUT_MS, isAlone: false });
      } catch (error) {
        if (!isCausedByOne(error)) throw error;
        return items.map(addAlone);
      }
    },
  });

  function addAlone(item: In): Promise<Out> {
    const workspaceId = workspaceOf(item);
    let entry = alone.get(workspaceId);
    if (entry === undefined) {
      entry = createAlone(workspaceId);
      alone.set(workspaceId, entry);
    }
    const { add } = entry;
    entry.waiting += 1;
    return add(item).finally(() => {
      entry.waiting -= 1;
      deleteIfFree(workspaceId, entry);
    });
  }

  function createAlone(workspaceId: string): Alone<In, Out> {
    const entry: Alone<In, Out> = {
      waiting: 0,
      until: 0,
      add: createBatch<In, Out>({
        maxSize,
        concurrency: 1,
        maxWaiting,
        run: (items) =>
          takeTurn(workspaceId, async () => {
            try {
              return await run(items, { lockTimeoutMs: ALONE_LOCK_TIMEOUT_MS, isAlone: true });
            } catch (error) {
              if (isBlocked(error)) entry.until = performance.now() + STAYS_ALONE_MS;
              throw error;
            }
          }),
      }),
    };
    return entry;
  }

  function deleteIfFree(workspaceId: string, entry: Alone<In, Out>): void {
    if (entry.waiting === 0 && entry.until <= performance.now()) alone.delete(workspaceId);
  }

  return async function add(item: In): Promise<Out> {
    const workspaceId = workspaceOf(item);
    const entry = alone.get(workspaceId);
    if (entry !== undefined) deleteIfFree(workspaceId, entry);
    return alone.has(workspaceId) ? addAlone(item) : share(item);
  };
}
