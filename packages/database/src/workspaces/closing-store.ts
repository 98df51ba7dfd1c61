import { testWorkspaceOf } from '@switchboard/core';
import type pg from 'pg';
import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
import { type Run, runStatement } from '../run-statement.ts';
import { inShortTransaction } from '../short-transaction.ts';
import { DUE_NOW } from '../due-now.ts';
import { type ClosedAccess, endAccess } from './close-workspace.ts';
import { DELETE_SOME, HAS_MORE } from './delete-statements.ts';

/** A closed workspace, which a worker continues to close. */
export interface DueClosing {
  workspaceId: string;
  /** Whether the time for what was in flight, and for the last webhooks, is over. */
  isOverdue: boolean;
}

/** The work after a workspace was closed, in short steps that may be repeated. */
export interface ClosingStore {
  /** Takes the workspace that is due for the longest time. Another worker takes it again after a minute. */
  takeDue(): Promise<DueClosing | null>;
  /** Ends again what a request that was in flight may have added. */
  endAccess(workspaceId: string): Promise<ClosedAccess>;
  /** Lists messages of both modes that no worker has claimed. */
  listReady(workspaceId: string, limit: number): Promise<{ id: string; workspaceId: string }[]>;
  /** Whether a message is not canceled yet, in flight or of unknown outcome, or a webhook endpoint has not received all events. */
  isWaiting(workspaceId: string): Promise<boolean>;
  /** Deletes rows of both modes, a batch at a time, until there are none or `isOver`; returns whether there are more. */
  deleteRows(workspaceId: string, isOver: () => boolean): Promise<boolean>;
  /** Deletes the workspace itself. Returns false if files or new rows are left. */
  finish(workspaceId: string): Promise<boolean>;
  /** The next step is due after `inMs`. */
  postpone(workspaceId: string, inMs: number): Promise<void>;
}

/** For how long data is kept for messages in flight and for webhooks. */
const WAIT_HOURS = 24;

const TAKE = `
WITH due AS (
  SELECT id FROM workspaces WHERE next_step_at <= now()
  ORDER BY next_step_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE workspaces w SET next_step_at = now() + interval '1 minute' FROM due WHERE w.id = due.id
RETURNING w.id AS "workspaceId", w.closed_at < now() - interval '${WAIT_HOURS} hours' AS "isOverdue"`;

const LIST_READY = `
SELECT id, workspace_id AS "workspaceId" FROM message_progress
WHERE workspace_id = ANY(:both::uuid[]) AND dispatch = 'ready' LIMIT :limit::int`;

const IS_WAITING = `
SELECT EXISTS (
  SELECT FROM message_progress WHERE workspace_id = ANY(:both::uuid[]) AND dispatch IN ('ready', 'inflight', 'unknown')
) OR EXISTS (
  SELECT FROM event_counters c WHERE c.workspace_id = ANY(:both::uuid[])
    AND first_needed_by_webhooks(c.workspace_id, c.slot) <= c.last_seq
) OR EXISTS (
  SELECT FROM webhook_endpoints e JOIN webhook_other_events o ON o.workspace_id = e.workspace_id AND o.endpoint_id = e.id
  WHERE e.workspace_id = ANY(:both::uuid[]) AND e.enabled
) OR EXISTS (
  -- Events that are not in message_events.
  SELECT FROM webhook_endpoints e JOIN webhook_deliveries d ON d.workspace_id = e.workspace_id AND d.endpoint_id = e.id
  WHERE e.workspace_id = ANY(:both::uuid[]) AND e.enabled AND d.status = 'pending'
) AS "isWaiting"`;

const FORGET_FILES = `
UPDATE media_files SET deleted_at = now(), check_at = ${DUE_NOW}, name = ''
WHERE workspace_id = ANY(:both::uuid[]) AND deleted_at IS NULL`;

export function createClosingStore({ prisma, pool }: Database): ClosingStore {
  const run: Run = (statement, values) => runStatement(pool, statement, values);
  // The test workspace is first, because only the row of the live one says that there is more to do.
  const bothOf = (workspaceId: string) => [testWorkspaceOf(workspaceId), workspaceId];

  return {
    async takeDue() {
      const [due] = await run<DueClosing & pg.QueryResultRow>(TAKE, []);
      return due ?? null;
    },
    endAccess: (workspaceId) => prisma.$transaction((tx) => endAccess(tx, workspaceId)),
    listReady: (workspaceId, limit) =>
      run(...named(LIST_READY, { both: bothOf(workspaceId), limit })),
    async isWaiting(workspaceId) {
      const values = { both: bothOf(workspaceId) };
      const [row] = await run<{ isWaiting: boolean }>(...named(IS_WAITING, values));
      return row?.isWaiting === true;
    },
    async deleteRows(workspaceId, isOver) {
      await run(...named(FORGET_FILES, { both: bothOf(workspaceId) }));
      for (const id of bothOf(workspaceId)) {
        for (const statement of DELETE_SOME) {
          while ((await inShortTransaction(pool, (tx) => tx(statement, [id]))).length > 0) {
            if (isOver()) return true;
          }
        }
      }
      return false;
    },
    async finish(workspaceId) {
      for (const id of bothOf(workspaceId)) {
        const isDeleted = await inShortTransaction(pool, async (tx) => {
          const [row] = await tx<{ hasMore: boolean }>(HAS_MORE, [id]);
          if (row?.hasMore === true) return false;
          await tx('DELETE FROM workspaces WHERE id = $1::uuid', [id]);
          return true;
        });
        if (!isDeleted) return false;
      }
      // Requests for mails are in the tables of accounts.
      await run('DELETE FROM mails WHERE workspace_id = $1::uuid', [workspaceId]);
      return true;
    },
    async postpone(workspaceId, inMs) {
      await run(
        `UPDATE workspaces SET next_step_at = now() + $2::int * interval '1 millisecond' WHERE id = $1::uuid`,
        [workspaceId, inMs],
      );
    },
  };
}
