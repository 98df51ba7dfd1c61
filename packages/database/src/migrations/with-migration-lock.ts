import { setTimeout as delay } from 'node:timers/promises';
import { createPgClient } from '@switchboard/postgres';
import type pg from 'pg';
import { MigrationError } from './migration-error.ts';

// The lock of Prisma's schema engine, so that its tools and ours exclude each other.
const PRISMA_LOCK = 72707369;
const CONNECT_TIMEOUT_MS = 10_000;
/** Limits how long a statement waits for a busy table, because other statements wait behind it. */
const STATEMENT_LOCK_TIMEOUT_MS = 2_000;
const TRY_EVERY_MS = 100;

/**
 * Runs `work` on a connection whose session holds the migration lock. Waits for the lock at most
 * `waitMs`. The session must be the server's own, because PgBouncer in transaction mode spreads a
 * session over several server connections.
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
  // A broken connection fails the current query and all later ones. Without a listener, the event ends
  // the process.
  client.on('error', () => undefined);
  try {
    await connect(client);
    // Long statements are expected here, and the session is idle while other migrations run.
    await client.query(
      'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; ' +
        'SET idle_session_timeout = 0',
    );
    await takeLock(client, options.waitMs);
    await client.query(`SET lock_timeout = ${STATEMENT_LOCK_TIMEOUT_MS}`);
    return await work(client);
  } finally {
    // The lock ends with its session.
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
  // A waiting lock request would block: a concurrent index build waits for all earlier statements,
  // including one that waits for this lock. So the lock is tried repeatedly instead.
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
    await delay(TRY_EVERY_MS);
  }
}
