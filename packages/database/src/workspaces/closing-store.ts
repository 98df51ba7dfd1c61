import { testWorkspaceOf } from '@switchboard/core';
import type pg from 'pg';
import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
import { type Run, runStatement } from '../run-statement.ts';
import { inShortTransaction } from '../short-transaction.ts';
import { DUE_NOW } from '../due-now.ts';
import { type ClosedAccess, endAccess } from './close-workspace.ts';
import { DELETE_SOME, FIRST_EVENT_SOURCE, HAS_MORE } from './delete-statements.ts';

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
  /**
   * Whether a message is not canceled yet, in flight or of unknown outcome, a webhook endpoint has not received all events, a copy of an erased
   * message is at its provider, or another workspace needs the identifiers of messages here.
   */
  isWaiting(workspaceId: string): Promise<boolean>;
  /** Counts copies of erased messages at providers that are still to be removed. */
  countRedactions(workspaceId: string): Promise<number>;
  /**
   * Deletes rows of both modes, a batch at a time, until there are none or `isOver`; returns whether there are more. Nothing that would be an event is
   * deleted before the webhook endpoints.
   */
  deleteRows(workspaceId: string, isOver: () => boolean): Promise<boolean>;
  /** Deletes the workspace itself. Returns false if files or new rows are left. */
  finish(workspaceId: string): Promise<boolean>;
  /** The next step is due after `inMs`. */
  postpone(workspaceId: string, inMs: number): Promise<void>;
}

/** How far the clocks of a provider and its list may be behind the database's clock. */
const CLOCK_SLACK = `interval '1 minute'`;

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
) OR EXISTS (
  SELECT FROM message_redactions WHERE workspace_id = ANY(:both::uuid[])
) OR EXISTS (
  -- An open message of another workspace at the same account of the vendor. It is looked up in the list of that account, where it could adopt a
  -- message of this workspace that has no row any more. No attempt here began after the closing.
  SELECT FROM (
    SELECT vendor_account_id FROM provider_accounts WHERE workspace_id = ANY(:both::uuid[])
    UNION SELECT vendor_account_id FROM removed_accounts WHERE workspace_id = ANY(:both::uuid[])
  ) a
  JOIN provider_accounts other ON other.vendor_account_id = a.vendor_account_id AND other.workspace_id <> ALL(:both::uuid[])
  JOIN due_messages m ON m.workspace_id = other.workspace_id AND m.vendor_account_id = a.vendor_account_id
  WHERE (m.dispatch IN ('inflight', 'unknown') OR m.dispatch = 'ready' AND m.resends > 0)
    AND m.started_at - ${CLOCK_SLACK} <= (SELECT closed_at FROM workspaces WHERE id = :live::uuid)
) AS "isWaiting"`;

const FORGET_FILES = `
UPDATE media_files SET deleted_at = now(), check_at = ${DUE_NOW}, name = ''
WHERE (workspace_id, id) IN (
  SELECT workspace_id, id FROM media_files WHERE workspace_id = $1::uuid AND deleted_at IS NULL
  ORDER BY workspace_id, id LIMIT 500 FOR UPDATE SKIP LOCKED) RETURNING 1`;

const COUNT_REDACTIONS =
  'SELECT count(*)::int AS n FROM message_redactions WHERE workspace_id = ANY(:both::uuid[])';

const HAS_ENDPOINTS =
  'SELECT EXISTS (SELECT FROM webhook_endpoints WHERE workspace_id = $1::uuid) AS "hasEndpoints"';

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
      const values = { both: bothOf(workspaceId), live: workspaceId };
      const [row] = await run<{ isWaiting: boolean }>(...named(IS_WAITING, values));
      return row?.isWaiting === true;
    },
    async countRedactions(workspaceId) {
      const values = { both: bothOf(workspaceId) };
      const [row] = await run<{ n: number }>(...named(COUNT_REDACTIONS, values));
      return row?.n ?? 0;
    },
    async deleteRows(workspaceId, isOver) {
      for (const id of bothOf(workspaceId)) {
        for (const statement of [FORGET_FILES, ...DELETE_SOME]) {
          if (statement === FIRST_EVENT_SOURCE) {
            const [row] = await run<{ hasEndpoints: boolean }>(HAS_ENDPOINTS, [id]);
            if (row?.hasEndpoints === true) return true;
          }
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
          // No request adds a row that refers to the workspace between the look and the deletion.
          await tx('SELECT FROM workspaces WHERE id = $1::uuid FOR UPDATE', [id]);
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
