import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { afterEach, beforeEach } from 'vitest';
import { migrate, type MigrateOptions } from '../../src/index.ts';

export let directory: string;
export let databaseUrl: string;
let database: TestDatabase;
export let client: pg.Client;

/** Registers the hooks of the calling file. Files that share a process load this module once. */
export function useEmptyDatabase(): void {
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'migrations-'));
    database = await createTestDatabase({ empty: true });
    databaseUrl = database.url;
    client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
  });

  afterEach(async () => {
    await client.end();
    await database.drop();
    await rm(directory, { recursive: true });
  });
}

export async function write(name: string, script: string): Promise<void> {
  await mkdir(path.join(directory, name), { recursive: true });
  await writeFile(path.join(directory, name, 'migration.sql'), script);
}

export function run(options: Partial<MigrateOptions> = {}): Promise<string[]> {
  return migrate({ databaseUrl, directory, log: { info: () => undefined }, ...options });
}

export async function tables(): Promise<string[]> {
  const { rows } = await client.query<{ tablename: string }>(
    `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename !~ '^_' ORDER BY 1`,
  );
  return rows.map((row) => row.tablename);
}

export async function history() {
  const { rows } = await client.query<{
    migration_name: string;
    checksum: string;
    logs: string | null;
    finished: boolean;
    rolled_back: boolean;
    applied_steps_count: number;
  }>(
    `SELECT migration_name, checksum, logs, finished_at >= started_at IS TRUE AS finished,
            rolled_back_at IS NOT NULL AS rolled_back, applied_steps_count
       FROM _prisma_migrations ORDER BY started_at`,
  );
  return rows;
}

// Has semicolons that end no statement, and a body that starts like a transaction.
export const FUNCTION = `
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.note := 'a;b';
  RETURN NEW;
END;
$$;`;
