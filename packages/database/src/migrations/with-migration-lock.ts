import { setTimeout as pause } from 'node:timers/promises';
import { createPgClient } from '@switchboard/postgres';
import type pg from 'pg';
import { MigrationError } from './migration-error.ts';

// The number that Prisma's schema engine locks, so that its tools and ours exclude each other.
const PRISMA_LOCK = 72707369;
const CONNECT_TIMEOUT_MS = 10_000;
/** A statement that waits for a busy table makes everybody behind it wait too. */
const STATEMENT_LOCK_TIMEOUT_MS = 2_000;
const ASK_AGAIN_MS = 100;

/**
 * Runs `work` on a connection whose session holds the migration lock. Others wait for it, at most
 * `waitMs`. The session must be the server's own: PgBouncer in transaction mode would scatter it.
 */
export async function withMigrationLock<T>(
  options: { databaseUrl: string; waitMs: number },
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = createPgClient(options.databaseUrl, {
    application_name: 'switchboard-migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // A connection that breaks fails the query under way and every later one; unheard, the event
  // would end the process.
  client.on('error', () => undefined);
  try {
    await connect(client);
    // Long work is not a stuck one here, and the session sits idle while others' migrations run.
    await client.query(
      'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; ' +
        'SET idle_session_timeout = 0',
    );
    await takeLock(client, options.waitMs);
    await client.query(`SET lock_timeout = ${STATEMENT_LOCK_TIMEOUT_MS}`);
    return await work(client);
  } finally {
    // The lock goes with its session.
    await client.end();
  }
}

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (cause) {
    const reason =
      cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : '';
    throw new MigrationError(`The database can't be reached: ${reason}.`, { cause });
  }
}

async function takeLock(client: pg.Client, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  // Asked again and again: an index that is built beside the writers waits for every statement that
  // began before it, and one that waits for this lock would wait for the index.
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS taken',
      [PRISMA_LOCK],
    );
    if (rows[0]?.taken === true) return;
    if (performance.now() > deadline) {
      throw new MigrationError(
        `Another process has been migrating this database for more than ${waitMs / 1000} seconds.`,
      );
    }
    await pause(ASK_AGAIN_MS);
  }
}
