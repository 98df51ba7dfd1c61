import { PrismaPg } from '@prisma/adapter-pg';
import { type HashErased, STATEMENT_TIMEOUT_MS } from '@switchboard/core';
import { createPgPool, parsePostgresUrl } from '@switchboard/postgres';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';
import { useErasedOptOuts } from './opt-outs/opt-out-forms.ts';
import { type EventNumbering, sharedNumbering } from './messages/events/event-numbering.ts';

export interface DatabaseOptions {
  url: string;
  /** The maximum number of connections of this pool. */
  poolSize: number;
  applicationName: string;
  /** How long a statement waits for a connection. Default: 3 s. */
  connectTimeoutMs?: number;
  /** How long a statement may run, and a transaction may be idle. Default: 10 s. */
  statementTimeoutMs?: number;
  /** Makes the opt-outs of erased people hold. Default: none. */
  hashErased?: HashErased;
  /** Called with errors on idle connections, which the pool replaces, and of work whose caller does not depend on it. */
  onError(error: Error): void;
}

/**
 * All access to the database shares one pool. Settings use Prisma. The path of a message uses SQL with
 * one operation per file, because a message's row, event and counter change in one statement.
 */
export interface Database {
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  /** Where this process numbers events. */
  readonly numbering: EventNumbering;
  /** The names of the schemas of our tables and of the queue's. */
  readonly schemas: { own: string; queue: string };
  /** Reports a failure of work that is done later, and so does not fail its caller. */
  reportError(error: unknown): void;
  /** Resolves if the database responds, and otherwise rejects after a timeout. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const TIMEOUTS = { connectTimeoutMs: 3_000, statementTimeoutMs: STATEMENT_TIMEOUT_MS };

const types: pg.CustomTypesConfig = {
  // Our counters stay far below 2^53. By default, pg returns strings.
  getTypeParser: (oid, format): ((text: string) => unknown) =>
    oid === pg.types.builtins.INT8
      ? Number
      : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};

/** Creates a pool with timeouts for all operations. It replaces broken connections. */
export function createPool(options: DatabaseOptions): pg.Pool {
  const { connectTimeoutMs, statementTimeoutMs } = { ...TIMEOUTS, ...options };
  // PgBouncer refuses these two. docs/deploy.md describes how to set them on the role instead.
  const direct = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
  };
  const pool = createPgPool(options.url, {
    max: options.poolSize,
    application_name: options.applicationName,
    // Without timeouts, pg waits forever. The server's limit ends a statement; ours is longer, for a
    // server that does not respond at all.
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs + 2_000,
    ...(parsePostgresUrl(options.url).isThroughPgBouncer ? {} : direct),
    keepAlive: true,
    types,
  });
  pool.on('error', options.onError);
  // A connection in use that is lost fails its statement and also emits an event, and an `error` event
  // without a listener ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (options.hashErased !== undefined) useErasedOptOuts(pool, options.hashErased);
  return pool;
}

export function createDatabase(options: DatabaseOptions): Database {
  const { connectTimeoutMs, statementTimeoutMs } = { ...TIMEOUTS, ...options };
  const pool = createPool(options);
  const { schema, queueSchema } = parsePostgresUrl(options.url);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { schema }),
    // The same limits as in the pool. Prisma's own limits are shorter.
    transactionOptions: { maxWait: connectTimeoutMs, timeout: statementTimeoutMs },
  });

  return {
    prisma,
    pool,
    numbering: sharedNumbering(),
    schemas: { own: schema, queue: queueSchema },
    reportError(error) {
      options.onError(error instanceof Error ? error : new Error(String(error)));
    },
    async ping() {
      await pool.query('SELECT 1');
    },
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
