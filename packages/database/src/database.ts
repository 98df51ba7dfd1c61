import { PrismaPg } from '@prisma/adapter-pg';
import { createPgPool, parsePostgresUrl } from '@switchboard/postgres';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';

export interface DatabaseOptions {
  url: string;
  /** Connections this process may hold. */
  poolSize: number;
  applicationName: string;
  /** Told of errors on idle connections; the pool replaces them by itself. */
  onError(error: Error): void;
}

/**
 * One pool for all. Settings go through Prisma; the path of a message is SQL of our own, one
 * operation per file, because a message's row, event and counter change in one statement.
 */
export interface Database {
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  /** Resolves when the database answers; rejects within its time-out otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/** PgBouncer refuses these two; docs/deploy.md says how to set them on the role instead. */
const DIRECT = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
};

const types: pg.CustomTypesConfig = {
  // Counters of ours stay far below 2^53; pg would hand out strings.
  getTypeParser: (oid, format): ((text: string) => unknown) =>
    oid === pg.types.builtins.INT8
      ? Number
      : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};

/** Its connections are bounded in every way, and replaced when they break. */
export function createPool(options: DatabaseOptions): pg.Pool {
  const pool = createPgPool(options.url, {
    max: options.poolSize,
    application_name: options.applicationName,
    // pg waits for ever unless told otherwise. The server's limit ends a statement; ours is later,
    // for a server that does not answer at all.
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + 2_000,
    ...(parsePostgresUrl(options.url).isThroughPgBouncer ? {} : DIRECT),
    keepAlive: true,
    types,
  });
  pool.on('error', options.onError);
  // A client that is out of the pool tells of a lost connection by an event too, besides failing
  // its statement, and an 'error' that nobody hears ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

export function createDatabase(options: DatabaseOptions): Database {
  const pool = createPool(options);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    // The same limits as everywhere, instead of Prisma's own, which are shorter.
    transactionOptions: { maxWait: CONNECT_TIMEOUT_MS, timeout: STATEMENT_TIMEOUT_MS },
  });

  return {
    prisma,
    pool,
    async ping() {
      await pool.query('SELECT 1');
    },
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
