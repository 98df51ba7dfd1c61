import { type BusNotification, decideClose } from '@switchboard/core';
import { type ClosingStore, type DueClosing, isBlockedByOthers } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { TryTransition } from '../try-transition.ts';

const BATCH_SIZE = 200;
/** A closing that waits for messages in flight or for webhooks continues after this time. */
const AGAIN_MS = 2_000;
/** The longest pause of a closing that makes no progress. */
const STUCK_MAX_MS = 60_000;

/**
 * Creates the function that finishes closed workspaces, in short transactions: cancels what was not sent, waits for what is in flight
 * and for the last webhooks, and deletes the data. A worker that fails leaves a workspace that another one continues with.
 *
 * The function returns whether there is more to do when the time is over.
 */
export function createCloseWorkspaces(dependencies: {
  store: ClosingStore;
  transition: TryTransition;
  publishLater(notification: BusNotification): void;
  logger: Logger;
}) {
  const { store, transition, publishLater, logger } = dependencies;
  /** How many steps of a closing in a row made no progress here. */
  const stuck = new Map<string, number>();

  /** Continues later each time, and warns once the pause is the longest. */
  async function postponeStuck(workspaceId: string, err?: unknown): Promise<void> {
    const steps = stuck.get(workspaceId) ?? 0;
    stuck.set(workspaceId, steps + 1);
    const inMs = Math.min(AGAIN_MS * 2 ** steps, STUCK_MAX_MS);
    if (inMs === STUCK_MAX_MS) {
      logger.warn({ workspace_id: workspaceId, err }, 'closed workspace cannot be deleted yet');
    }
    await store.postpone(workspaceId, inMs);
  }

  async function endAccess(workspaceId: string): Promise<void> {
    const { userIds, apiKeyIds } = await store.endAccess(workspaceId);
    for (const userId of userIds) publishLater({ kind: 'member_removed', workspaceId, userId });
    for (const apiKeyId of apiKeyIds) publishLater({ kind: 'api_key_revoked', apiKeyId });
  }

  /** Cancels messages so that webhooks report it. Returns how many were canceled. */
  async function cancelSome(workspaceId: string): Promise<number> {
    const found = await store.listReady(workspaceId, BATCH_SIZE);
    const results = await Promise.all(
      found.map((message) =>
        transition(message, decideClose, { log: logger.child({ message_id: message.id }) }),
      ),
    );
    return results.filter((result) => result?.kind === 'changed').length;
  }

  async function close({ workspaceId, isOverdue }: DueClosing, isOver: () => boolean) {
    await endAccess(workspaceId);
    while ((await cancelSome(workspaceId)) > 0) if (isOver()) return;
    const isWaiting = !isOverdue && (await store.isWaiting(workspaceId));
    if (isWaiting) return store.postpone(workspaceId, AGAIN_MS);
    const dropped = await store.countRedactions(workspaceId);
    if (dropped > 0) {
      logger.warn(
        { workspace_id: workspaceId, count: dropped },
        'copies of erased messages were not removed at the provider',
      );
    }
    if (await store.deleteRows(workspaceId, isOver)) {
      return isOver() ? undefined : postponeStuck(workspaceId);
    }
    if (!(await store.finish(workspaceId))) return postponeStuck(workspaceId);
    stuck.delete(workspaceId);
    logger.info({ workspace_id: workspaceId }, 'closed workspace deleted');
  }

  return async function closeWorkspaces(budgetMs: number): Promise<boolean> {
    const startedAt = performance.now();
    const isOver = (): boolean => performance.now() - startedAt >= budgetMs;
    while (!isOver()) {
      const closing = await store.takeDue();
      if (closing === null) return false;
      try {
        await close(closing, isOver);
        if (isOver()) await store.postpone(closing.workspaceId, 0);
      } catch (error) {
        // The next step repeats what was not done.
        if (!isBlockedByOthers(error)) throw error;
        await postponeStuck(closing.workspaceId, error);
      }
    }
    return true;
  };
}
