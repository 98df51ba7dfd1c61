import type { Mode } from '@switchboard/core';
import pg from 'pg';
import type { Database } from '../database.ts';
import {
  type OldDataQuery,
  type OldEvents,
  type OldEventsDone,
  type WorkspaceWithOldEvents,
  countOldEvents,
  deleteOldEvents,
  listWorkspacesWithOldEvents,
} from '../messages/events/delete-old-events.ts';
import type { Run } from '../run-statement.ts';
import { DatabaseUnavailableError } from '../sql-error.ts';
import {
  type OldMessages,
  type OldMessagesDone,
  countOldMessages,
  deleteOldMessages,
  listWorkspacesWithOldMessages,
} from './delete-old-messages.ts';
import { deleteUnsentEvents } from './delete-unsent-events.ts';
import { trimChunks } from './trim-chunks.ts';

export interface RetentionHorizons {
  /** The time on the database's clock. */
  now: Date;
  /** See `OldMessages`. */
  openSince: Date | null;
}

/** Deletes data after its retention time, in short transactions. */
export interface RetentionStore {
  readHorizons(): Promise<RetentionHorizons>;
  listWorkspacesWithOldEvents(query: OldDataQuery): Promise<WorkspaceWithOldEvents[]>;
  deleteEvents(old: OldEvents): Promise<OldEventsDone>;
  countEvents(old: OldEvents): Promise<OldEventsDone>;
  listWorkspacesWithOldMessages(query: OldDataQuery): Promise<{ workspaceId: string }[]>;
  /** Deletes only messages without events, so events must be deleted first. */
  deleteMessages(old: OldMessages): Promise<OldMessagesDone>;
  /** Removes the words of deleted messages. Returns the number of chunks, at most `limit`. */
  trimChunks(old: { mode: Mode; before: Date; limit: number }): Promise<number>;
  /** Deletes events that wait for an endpoint to be enabled, other than those of messages. Returns their number, at most `limit`. */
  deleteUnsentEvents(old: { mode: Mode; before: Date; limit: number }): Promise<number>;
  countMessages(old: OldMessages & { eventsBefore: Date }): Promise<OldMessagesDone>;
}

/** How far the clocks of a provider and its list may be behind the database's clock. */
const CLOCK_SLACK = `interval '1 minute'`;

// A message that waits for its resend counts as open, because the provider may have its first attempt.
const READ_HORIZONS = `
SELECT now() AS now, LEAST(
  (SELECT min(started_at) FROM due_messages WHERE dispatch IN ('inflight', 'unknown')),
  (SELECT min(started_at) FROM due_messages WHERE dispatch = 'ready' AND resends > 0)
) - ${CLOCK_SLACK} AS "openSince"`;

// Another installation in the same database has another schema.
const LOCK_KEY = `hashtextextended('switchboard retention ' || current_schema(), 0)`;

/**
 * Runs `work`, or returns null if another run is active on this schema. The lock and the work use one
 * connection, so that neither outlives the other.
 */
export async function withRetention<Result>(
  { pool }: Pick<Database, 'pool'>,
  work: (store: RetentionStore) => Promise<Result>,
): Promise<Result | null> {
  const client = await pool.connect().catch((cause: unknown) => {
    throw new DatabaseUnavailableError('no connection to the database', { cause });
  });
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(${LOCK_KEY}) AS locked`,
    );
    if (rows[0]?.locked !== true) return null;
    const result = await work(createStore(client));
    // The server ends a closed session some time later, and the next run may start before that.
    await client.query(`SELECT pg_advisory_unlock(${LOCK_KEY})`);
    return result;
  } finally {
    // The connection is closed instead of released, because a lock that is left ends with its session.
    client.release(true);
  }
}

function createStore(client: pg.PoolClient): RetentionStore {
  const run: Run = async (statement, values) => {
    const query = typeof statement === 'string' ? { text: statement } : statement;
    return (await client.query<never>({ ...query, values })).rows;
  };

  /** Runs a transaction that fails soon if it has to wait for a lock or the database is too busy. */
  async function inShortTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    await client.query(
      `BEGIN; SET LOCAL lock_timeout = '500ms'; SET LOCAL statement_timeout = '5s'`,
    );
    try {
      const result = await work();
      await client.query('COMMIT');
      return result;
    } catch (error) {
      // After a lost connection this fails too, and the first error is the relevant one.
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  return {
    async readHorizons() {
      const [row] = await run<RetentionHorizons>(READ_HORIZONS, []);
      if (row === undefined)
        throw new Error('the query for the retention horizons returned no row');
      return row;
    },
    listWorkspacesWithOldEvents: (query) => listWorkspacesWithOldEvents(run, query),
    deleteEvents: (old) => inShortTransaction(() => deleteOldEvents(run, old)),
    countEvents: (old) => inShortTransaction(() => countOldEvents(run, old)),
    listWorkspacesWithOldMessages: (query) => listWorkspacesWithOldMessages(run, query),
    deleteMessages: (old) => inShortTransaction(() => deleteOldMessages(run, old)),
    trimChunks: (old) => inShortTransaction(() => trimChunks(run, old)),
    deleteUnsentEvents: (old) => inShortTransaction(() => deleteUnsentEvents(run, old)),
    countMessages: (old) => inShortTransaction(() => countOldMessages(run, old)),
  };
}

/** Timeouts of locks and statements, deadlocks: nothing is done, and a smaller step may succeed. */
const BLOCKED_CODES = new Set(['55P03', '57014', '40P01', '40001']);

/**
 * Returns whether a step failed because of other transactions. The step has no effect and may be
 * retried.
 */
export function isBlockedByOthers(error: unknown): boolean {
  return error instanceof pg.DatabaseError && BLOCKED_CODES.has(error.code ?? '');
}
