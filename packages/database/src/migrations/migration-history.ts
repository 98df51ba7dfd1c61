import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { MigrationError } from './migration-error.ts';
import { isChecksumOf, type Migration } from './read-migrations.ts';
import { named } from '../named-statement.ts';

// The table and its rows have the format of Prisma's schema engine, so that `prisma migrate status` and
// our runner share one history:
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

/** Creates the table of migrations if it does not exist. The caller holds the lock. */
export async function createHistory(client: Client): Promise<void> {
  if (!(await hasHistory(client))) await client.query(CREATE_TABLE);
}

/** Returns whether a migration was ever applied or attempted. */
export async function hasHistory(client: Pick<Client, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present`,
  );
  return rows[0]?.present === true;
}

/** The difference between the database and the migrations of this version. */
export interface MigrationStatus {
  /** In the folder, but not applied. */
  pending: Migration[];
  /** The names of migrations of later versions that this version is compatible with. */
  newer: string[];
}

/** `<time>_<what>_needs_<time>`: only versions that have the migration of that time work with it. */
const NEEDS = /_needs_(\d+)$/;

/**
 * Compares the history with the folder. Migrations that a later version added after the folder's last
 * one are not an error, because processes of the older version may still start during an upgrade.
 *
 * @throws MigrationError if the history differs from the folder, because the schema would be unknown
 */
export async function readMigrationStatus(
  client: Pick<Client, 'query'>,
  migrations: readonly Migration[],
): Promise<MigrationStatus> {
  // Rows that were rolled back are only a record.
  const { rows } = await client.query<HistoryRow>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));

  const refuse = (wrong: readonly HistoryRow[], problem: string): void => {
    if (wrong.length === 0) return;
    const names = wrong.map((row) => row.migration_name).join(', ');
    throw new MigrationError(`The database's migrations can't be continued: ${names} ${problem}.`);
  };
  refuse(
    rows.filter((row) => !row.finished),
    'was started by another tool and never finished; resolve it with `prisma migrate resolve`',
  );
  const unknown = rows.filter((row) => !byName.has(row.migration_name));
  const last = migrations.at(-1)?.name ?? '';
  refuse(
    unknown.filter((row) => row.migration_name < last),
    'was applied but is not in the migrations folder, which contains later migrations',
  );
  refuse(
    unknown.filter((row) => {
      const time = NEEDS.exec(row.migration_name)?.[1];
      return time !== undefined && !migrations.some(({ name }) => name.startsWith(`${time}_`));
    }),
    'removed what this version needs; run a newer version',
  );
  refuse(
    rows.filter((row) => {
      const migration = byName.get(row.migration_name);
      return migration !== undefined && !isChecksumOf(row.checksum, migration);
    }),
    'was edited after it was applied; restore the file and write a new migration for the change',
  );

  const applied = new Set(rows.map((row) => row.migration_name));
  return {
    pending: migrations.filter((migration) => !applied.has(migration.name)),
    newer: unknown.map((row) => row.migration_name),
  };
}

/** Records the migration, in the transaction that applies it. */
export async function recordApplied(
  client: Client,
  migration: Migration,
  startedAt: Date,
): Promise<void> {
  await client.query(
    ...named(
      `INSERT INTO _prisma_migrations
         (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES (:id, :checksum, :name, :startedAt, clock_timestamp(), 1)`,
      { ...migration, id: randomUUID(), startedAt },
    ),
  );
}

/**
 * Records a failure as rolled back, which Prisma's tools accept as history. An unfinished row would
 * block all later runs until an operator resolved it.
 */
export async function recordFailed(
  client: Client,
  migration: Migration,
  startedAt: Date,
  reason: string,
): Promise<void> {
  await client.query(
    ...named(
      `INSERT INTO _prisma_migrations
         (id, checksum, migration_name, started_at, rolled_back_at, logs, applied_steps_count)
       VALUES (:id, :checksum, :name, :startedAt, clock_timestamp(), :reason, 0)`,
      { ...migration, id: randomUUID(), startedAt, reason },
    ),
  );
}
