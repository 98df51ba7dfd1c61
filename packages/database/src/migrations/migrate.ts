import { setTimeout as delay } from 'node:timers/promises';
import { parsePostgresUrl } from '@switchboard/postgres';
import pg from 'pg';
import { MigrationError, toMigrationError } from './migration-error.ts';
import { buildIndex, findConcurrentIndex } from './build-index.ts';
import {
  createHistory,
  readMigrationStatus,
  recordApplied,
  recordFailed,
} from './migration-history.ts';
import { MIGRATIONS_DIRECTORY, type Migration, readMigrations } from './read-migrations.ts';
import { checkServerVersion } from './server-version.ts';
import { withMigrationLock } from './with-migration-lock.ts';

const WAIT_MS = 300_000;
const RETRY_MS = 1_000;
const ACTIVE_SQL_TRANSACTION = '25001';
const LOCK_NOT_AVAILABLE = '55P03';

export interface MigrateOptions {
  databaseUrl: string;
  /** The folder with one folder per migration. The default is the repository's own. */
  directory?: string;
  /** Migrations of other packages, run after ours on their own connections, under the same lock. */
  after?: readonly ((databaseUrl: string) => Promise<void>)[];
  /**
   * How long to wait for other migrating processes and for locks on tables. The default is 5 minutes.
   */
  waitMs?: number;
  log: { info(fields: object, message: string): void };
}

/**
 * Applies all missing migrations and returns their names. Several processes may call it at the same
 * time. Each migration is one transaction, except for one that builds an index CONCURRENTLY. So a
 * failed migration leaves only a row that records the failure, and the next run continues with it.
 *
 * @throws MigrationError with a sentence for the operator
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { databaseUrl, waitMs = WAIT_MS } = options;
  const migrations = await readMigrations(options.directory ?? MIGRATIONS_DIRECTORY);
  try {
    return await withMigrationLock({ databaseUrl, waitMs }, (client) =>
      migrateUnderLock(client, migrations, { ...options, waitMs }),
    );
  } catch (error) {
    throw toMigrationError(error);
  }
}

async function migrateUnderLock(
  client: pg.Client,
  migrations: readonly Migration[],
  { databaseUrl, after = [], waitMs, log }: MigrateOptions & { waitMs: number },
): Promise<string[]> {
  const { problem } = await checkServerVersion(client);
  if (problem !== null) throw new MigrationError(problem);
  await createSchema(client, parsePostgresUrl(databaseUrl).schema);
  await createHistory(client);
  const { pending, newer } = await readMigrationStatus(client, migrations);
  if (newer.length > 0) {
    log.info({ migrations: newer }, 'the database is newer than this version, but compatible');
  }
  for (const migration of pending) {
    const startedAt = performance.now();
    await applyMigration(client, migration, waitMs);
    const durationMs = Math.round(performance.now() - startedAt);
    log.info({ migration: migration.name, duration_ms: durationMs }, 'migration applied');
  }
  for (const migrateOther of after) {
    await migrateOther(databaseUrl).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new MigrationError(
        `The migrations are applied, but the additional ones failed: ${reason}`,
        { cause },
      );
    });
  }
  return pending.map((migration) => migration.name);
}

/** Creates the schema that the URL names. `public` exists in a new database. */
async function createSchema(client: pg.Client, schema: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rowCount === 0) await client.query(`CREATE SCHEMA "${schema}"`);
}

async function applyMigration(
  client: pg.Client,
  migration: Migration,
  waitMs: number,
): Promise<void> {
  const deadline = performance.now() + waitMs;
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const startedAt = rows[0]?.now ?? new Date();
  const index = findConcurrentIndex(migration);
  try {
    if (index !== null) {
      await buildIndex(client, migration, index, waitMs);
      await recordApplied(client, migration, startedAt);
      return;
    }
    while (!(await runInTransaction(client, migration, startedAt, deadline))) {
      await delay(RETRY_MS);
    }
  } catch (cause) {
    const reason = describeFailure(migration, cause);
    const error = new MigrationError(`Migration ${migration.name} failed: ${reason}`, { cause });
    try {
      await client.query('ROLLBACK');
      await recordFailed(client, migration, startedAt, reason);
    } catch (recordError) {
      // The connection is lost, and PostgreSQL rolls back on its own. The operator needs the first
      // error.
      throw new MigrationError(`${error.message} The failure could not be recorded either.`, {
        cause: new AggregateError([cause, recordError]),
      });
    }
    throw error;
  }
}

/**
 * Applies the migration, and returns false if a table was in use. All later statements on a table
 * wait behind a statement that waits for its lock. So the migration waits only briefly, rolls back
 * so that the others can run, and is retried.
 */
async function runInTransaction(
  client: pg.Client,
  migration: Migration,
  startedAt: Date,
  deadline: number,
): Promise<boolean> {
  try {
    await client.query('BEGIN');
    // Without parameters, the whole script is sent as one message, and PostgreSQL itself splits it into
    // statements, which may contain semicolons in functions.
    await client.query(migration.script);
    await recordApplied(client, migration, startedAt);
    await client.query('COMMIT');
    return true;
  } catch (error) {
    const isInUse = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
    if (!isInUse || performance.now() > deadline) throw error;
    await client.query('ROLLBACK');
    return false;
  }
}

function describeFailure(migration: Migration, error: unknown): string {
  if (!(error instanceof pg.DatabaseError)) return `${String(error)}.`;
  if (error.code === ACTIVE_SQL_TRANSACTION) {
    return (
      `${error.message}. A migration runs in a transaction, except for a single CREATE INDEX ` +
      'CONCURRENTLY, which must have its own folder.'
    );
  }
  // PostgreSQL counts characters from 1.
  const line = migration.script.slice(0, Number(error.position ?? 1) - 1).split('\n').length;
  const where = error.position === undefined ? '' : ` (line ${line})`;
  const detail = error.detail === undefined ? '' : ` ${error.detail}`;
  return `${error.message}${where}.${detail}`;
}
