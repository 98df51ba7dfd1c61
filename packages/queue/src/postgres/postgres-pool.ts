import { setTimeout as delay } from 'node:timers/promises';

import { createPgPool, parsePostgresUrl } from '@switchboard/postgres';
import pg from 'pg';
import type { PoolOfSchema } from './bullmq-on-postgres.ts';
import { watchHeldClients } from './watch-held-clients.ts';

/** BullMQ retries a failed fetch without a delay, which would flood a database that restarts. */
const PAUSE_AFTER_FAILURE_MS = 250;

export interface PostgresPoolOptions {
  databaseUrl: string;
  timeoutMs: number;
  maxConnections: number;
  onError(error: Error): void;
}

export interface PostgresPool {
  /** The pool for BullMQ, which never ends a pool that it was given. */
  forBullmq: PoolOfSchema;
  ping(): Promise<void>;
  end(): Promise<void>;
}

/** Creates the connections of one producer or worker; every query has a timeout. */
export function createPostgresPool(options: PostgresPoolOptions): PostgresPool {
  const { timeoutMs, onError } = options;
  const schema = parsePostgresUrl(options.databaseUrl).queueSchema;
  const pool = createPgPool(options.databaseUrl, {
    max: options.maxConnections,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: timeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A job is only a hint: a crash of the database may lose the last ones, so no commit waits for the
    // disk.
    onConnect: (client) =>
      client.query(`SET search_path TO "${schema}"; SET synchronous_commit TO off`),
  });
  pool.on('error', onError);
  // A client that loses its connection while in use also emits 'error', which would end the process
  // without a listener. Its statement fails too, and that is reported.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const stopWatching = watchHeldClients(pool);

  async function pauseAfterFailure<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!isRefusalByBullmq(error)) await delay(PAUSE_AFTER_FAILURE_MS);
      throw error;
    }
  }

  const forBullmq = {
    schema,
    options: { keepAlive: true },
    query: (text: string, params?: readonly unknown[]) =>
      pauseAfterFailure(pool.query(text, params === undefined ? [] : [...params])),
    connect: () => pauseAfterFailure(pool.connect()),
    end: async () => {},
    // The pool's errors are reported above, once, however many backends use it.
    on: () => forBullmq,
    removeAllListeners: () => forBullmq,
  } as PoolOfSchema;

  let ended: Promise<void> | null = null;
  return {
    forBullmq,
    async ping() {
      await pool.query('SELECT 1');
    },
    end() {
      stopWatching();
      ended ??= pool.end();
      return ended;
    },
  };
}

/** BullMQ's functions raise this code for a change that does not fit the job's state. */
function isRefusalByBullmq(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === 'BM001';
}
