import pg from 'pg';
import type { Database } from '../database.ts';
import { DatabaseUnavailableError, type Run } from '../sql-error.ts';
import {
  type OldEvents,
  type OldEventsDone,
  countOldEvents,
  deleteOldEvents,
  listWorkspacesWithOldEvents,
} from './delete-old-events.ts';
import {
  type OldMessages,
  type OldMessagesDone,
  countOldMessages,
  deleteOldMessages,
} from './delete-old-messages.ts';

export interface RetentionHorizons {
  /** Of the database's clock. */
  now: Date;
  /** See `OldMessages`. */
  openSince: Date | null;
}

/** Deletes what is older than it is kept, a short transaction at a time. */
export interface RetentionStore {
  readHorizons(): Promise<RetentionHorizons>;
  listWorkspacesWithOldEvents(query: {
    before: Date;
    afterId: string;
    limit: number;
  }): Promise<{ workspaceId: string; isOld: boolean }[]>;
  deleteEvents(old: OldEvents): Promise<OldEventsDone>;
  countEvents(old: OldEvents): Promise<OldEventsDone>;
  /** Only messages without an event: delete those first. */
  deleteMessages(old: OldMessages): Promise<OldMessagesDone>;
  countMessages(old: OldMessages & { eventsBefore: Date }): Promise<OldMessagesDone>;
}

/** How far the clocks of a provider and of its list may be behind the database's. */
const CLOCK_SLACK = `interval '1 minute'`;

// A message that waits to be sent again counts as open: its first attempt may be at the provider.
const READ_HORIZONS = `
SELECT now() AS now, LEAST(
  (SELECT min(started_at) FROM messages WHERE dispatch IN ('inflight', 'unknown')),
  (SELECT min(started_at) FROM messages
   WHERE due_at IS NOT NULL AND dispatch = 'ready' AND resends > 0)
) - ${CLOCK_SLACK} AS "openSince"`;

/**
 * Runs `work` unless another run is at work on this database: null then. The lock and all the work
 * are of one connection, so that neither outlives the other.
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
      `SELECT pg_try_advisory_lock(hashtextextended('switchboard retention', 0)) AS locked`,
    );
    return rows[0]?.locked === true ? await work(createStore(client)) : null;
  } finally {
    // Closed, not given back: the lock ends with its session, whatever has happened.
    client.release(true);
  }
}

function createStore(client: pg.PoolClient): RetentionStore {
  const run: Run = async (statement, values) => {
    const query = typeof statement === 'string' ? { text: statement } : statement;
    return (await client.query<never>({ ...query, values })).rows;
  };

  /** Gives way: to a lock that is held for long, and when the database is too busy. */
  async function inShortTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    await client.query(
      `BEGIN; SET LOCAL lock_timeout = '500ms'; SET LOCAL statement_timeout = '5s'`,
    );
    try {
      const result = await work();
      await client.query('COMMIT');
      return result;
    } catch (error) {
      // On a lost connection this fails too, and what failed first is what counts.
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  return {
    async readHorizons() {
      const [row] = await run<RetentionHorizons>(READ_HORIZONS, []);
      if (row === undefined) throw new Error('the database told no time');
      return row;
    },
    listWorkspacesWithOldEvents: (query) => listWorkspacesWithOldEvents(run, query),
    deleteEvents: (old) => inShortTransaction(() => deleteOldEvents(run, old)),
    countEvents: (old) => inShortTransaction(() => countOldEvents(run, old)),
    deleteMessages: (old) => inShortTransaction(() => deleteOldMessages(run, old)),
    countMessages: (old) => inShortTransaction(() => countOldMessages(run, old)),
  };
}

/** Lock and statement time-outs, a deadlock: nothing is done, and a smaller step may succeed. */
const GAVE_WAY = new Set(['55P03', '57014', '40P01', '40001']);

/** Whether a step of the store gave way to others. It has done nothing and may be tried again. */
export function isGivingWay(error: unknown): boolean {
  return error instanceof pg.DatabaseError && GAVE_WAY.has(error.code ?? '');
}
