import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { MigrationError } from './migration-error.ts';
import { isChecksumOf, type Migration } from './read-migrations.ts';

// The table and its rows are as Prisma's schema engine makes them, so that `prisma migrate status`
// and our runner agree on one history:
// https://github.com/prisma/prisma-engines/tree/main/schema-engine/ARCHITECTURE.md
const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             TIMESTAMPTZ,
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    rolled_back_at          TIMESTAMPTZ,
    started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count     INTEGER NOT NULL DEFAULT 0
  )`;

interface HistoryRow {
  migration_name: string;
  checksum: string;
  finished: boolean;
}

/** Creates the table of migrations where it is missing. The caller holds the lock. */
export async function createHistory(client: Client): Promise<void> {
  if (!(await hasHistory(client))) await client.query(CREATE_TABLE);
}

/** Whether anything was ever applied, or tried. */
export async function hasHistory(client: Pick<Client, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present`,
  );
  return rows[0]?.present === true;
}

/** How the database stands to the folder of migrations of this version. */
export interface Standing {
  /** In the folder, and left to apply. */
  pending: Migration[];
  /** Names of what later versions have applied and this one can work with. */
  newer: string[];
}

/** `<time>_<what>_needs_<time>`: only code that knows the migration of that time works with it. */
const NEEDS = /_needs_(\d+)$/;

/**
 * Throws when what was applied is not what the folder holds: going on would build on a schema that
 * nobody has written down. What a later version has added behind it is no such case: while one
 * version replaces another, processes of the older one are still started.
 */
export async function findStanding(
  client: Pick<Client, 'query'>,
  migrations: readonly Migration[],
): Promise<Standing> {
  // A row that was rolled back is there for the record only.
  const { rows } = await client.query<HistoryRow>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));

  const refuse = (wrong: readonly HistoryRow[], verdict: string): void => {
    if (wrong.length === 0) return;
    const names = wrong.map((row) => row.migration_name).join(', ');
    throw new MigrationError(`The database's migrations can't be continued: ${names} ${verdict}.`);
  };
  refuse(
    rows.filter((row) => !row.finished),
    'was begun by another tool and never finished; settle it with `prisma migrate resolve`',
  );
  const unknown = rows.filter((row) => !byName.has(row.migration_name));
  const last = migrations.at(-1)?.name ?? '';
  refuse(
    unknown.filter((row) => row.migration_name < last),
    'was applied but is not in the folder of migrations, which has later ones',
  );
  refuse(
    unknown.filter((row) => {
      const time = NEEDS.exec(row.migration_name)?.[1];
      return time !== undefined && !migrations.some(({ name }) => name.startsWith(`${time}_`));
    }),
    'took away what this version needs; run a newer one',
  );
  refuse(
    rows.filter((row) => {
      const migration = byName.get(row.migration_name);
      return migration !== undefined && !isChecksumOf(row.checksum, migration);
    }),
    'was edited after it had been applied; restore the file and put the change in a new migration',
  );

  const applied = new Set(rows.map((row) => row.migration_name));
  return {
    pending: migrations.filter((migration) => !applied.has(migration.name)),
    newer: unknown.map((row) => row.migration_name),
  };
}

/** Belongs to the transaction that applies the migration: both happen or neither does. */
export async function recordApplied(
  client: Client,
  migration: Migration,
  startedAt: Date,
): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations
       (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`,
    [randomUUID(), migration.checksum, migration.name, startedAt],
  );
}

/**
 * Records a failure, already rolled back: it was, and Prisma's tools take such a row for history.
 * A row that were only unfinished would stop every later run until someone resolved it by hand.
 */
export async function recordFailed(
  client: Client,
  migration: Migration,
  startedAt: Date,
  reason: string,
): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations
       (id, checksum, migration_name, started_at, rolled_back_at, logs, applied_steps_count)
     VALUES ($1, $2, $3, $4, clock_timestamp(), $5, 0)`,
    [randomUUID(), migration.checksum, migration.name, startedAt, reason],
  );
}
