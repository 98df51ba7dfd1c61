import { decideCancel } from '@switchboard/core';
import { type DueErasure, type ErasingStore, isBlockedByOthers } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { TryTransition } from '../try-transition.ts';

const BATCH_SIZE = 200;
/** An erasure that waits for messages in flight, or for copies at providers, continues after this time. */
const AGAIN_MS = 2_000;

/**
 * Creates the function that erases people, in short transactions: cancels the messages that were not sent, erases those
 * that have ended, and waits for the others. A worker that fails leaves an erasure that another one continues.
 *
 * The function returns whether there is more to do when the time is over.
 */
export function createErasePeople(dependencies: {
  store: ErasingStore;
  transition: TryTransition;
  logger: Logger;
}) {
  const { store, transition, logger } = dependencies;

  /** Cancels messages as a user would, so that clients see it. Returns how many it found. */
  async function cancelSome(erasure: DueErasure): Promise<number> {
    const found = await store.listCancelable(erasure, BATCH_SIZE);
    let canceled = 0;
    for (const message of found) {
      const log = logger.child({ message_id: message.id });
      const result = await transition(message, decideCancel, { log });
      if (result?.kind === 'changed') canceled += 1;
    }
    if (canceled > 0) await store.addCanceled(erasure, canceled);
    return canceled;
  }

  async function erase(erasure: DueErasure, isOver: () => boolean): Promise<void> {
    if (erasure.isErased) return store.close(erasure, AGAIN_MS);
    await store.eraseRecords(erasure);
    while ((await cancelSome(erasure)) > 0) if (isOver()) return;
    while ((await store.eraseMessages(erasure, BATCH_SIZE)) > 0) if (isOver()) return;
    if (!(await store.finish(erasure, AGAIN_MS))) return;
    const { workspaceId, erasureId } = erasure;
    logger.info({ workspace_id: workspaceId, erasure_id: erasureId }, 'person erased');
    await store.close(erasure, AGAIN_MS);
  }

  return async function erasePeople(budgetMs: number): Promise<boolean> {
    const startedAt = performance.now();
    const isOver = (): boolean => performance.now() - startedAt >= budgetMs;
    while (!isOver()) {
      const erasure = await store.takeDue();
      if (erasure === null) return false;
      try {
        await erase(erasure, isOver);
        if (isOver()) await store.release(erasure);
      } catch (error) {
        // The next step repeats what was not done.
        if (!isBlockedByOthers(error)) throw error;
        await store.release(erasure);
        return true;
      }
    }
    return true;
  };
}
