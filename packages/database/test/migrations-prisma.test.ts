import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  DiagnoseMigrationHistoryOutput,
  MigrationList,
  SchemaEngine,
} from '@prisma/schema-engine-wasm';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSchemaEngine } from '../../../scripts/schema-engine.mjs';
import { migrate } from '../src/index.ts';
import { createSchemaEngineAdapter } from './schema-engine-adapter.ts';

// Prisma's own engine checks what our runner did with the repository's migrations.
const prisma = path.resolve(import.meta.dirname, '../../../prisma');
const filters = { externalTables: [], externalEnums: [] };
let directory: string;
let database: TestDatabase;
let pool: pg.Pool;
let engine: SchemaEngine;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  await cp(path.join(prisma, 'migrations'), directory, { recursive: true });
  database = await createTestDatabase({ empty: true });
  pool = new pg.Pool({ connectionString: database.url, connectionTimeoutMillis: 10_000 });
  engine = await createSchemaEngine(createSchemaEngineAdapter(pool));
});
afterEach(async () => {
  engine.free();
  await pool.end();
  await database.drop();
  await rm(directory, { recursive: true });
});

function run(): Promise<string[]> {
  return migrate({ databaseUrl: database.url, directory, log: { info: () => undefined } });
}

async function names(): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
}

async function diagnose(): Promise<DiagnoseMigrationHistoryOutput> {
  const migrationsList: MigrationList = {
    baseDir: directory,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(path.join(directory, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      (await names()).map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(path.join(directory, name, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  };
  return engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters });
}

/** Returns the changes that Prisma would make for the database to match a schema. */
async function drift(schema: string): Promise<{ exitCode: number; stdout: string | null }> {
  const files = [{ path: 'schema.prisma', content: schema }];
  return engine.diff({
    from: { tag: 'schemaDatasource', files, configDir: prisma },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: true,
    filters,
  });
}

test('Prisma’s own commands find our migrations applied and unchanged', async () => {
  expect(await run()).toEqual(await names());
  expect(await diagnose()).toEqual({
    hasMigrationsTable: true,
    editedMigrationNames: [],
    failedMigrationNames: [],
    history: null,
  });
});

test('Prisma’s own commands find an edited and an unapplied migration', async () => {
  await run();
  const [first = ''] = await names();
  const file = path.join(directory, first, 'migration.sql');
  await writeFile(file, `${await readFile(file, 'utf8')}-- edited\n`);
  await cp(path.join(directory, first), path.join(directory, '99990101000000_new'), {
    recursive: true,
  });
  expect(await diagnose()).toMatchObject({
    editedMigrationNames: [first],
    history: {
      diagnostic: 'databaseIsBehind',
      unappliedMigrationNames: ['99990101000000_new'],
    },
  });
});

test('Prisma’s own commands treat a migration that failed here as unapplied', async () => {
  const folder = path.join(directory, '99990101000000_broken');
  const [first = ''] = await names();
  await cp(path.join(directory, first), folder, { recursive: true });
  await writeFile(path.join(folder, 'migration.sql'), 'CREATE TABLE broken (id nonsense);');
  await expect(run()).rejects.toThrow('99990101000000_broken failed');
  expect(await diagnose()).toMatchObject({
    failedMigrationNames: [],
    history: { diagnostic: 'databaseIsBehind' },
  });
});

test('the migrated database has the schema of schema.prisma', async () => {
  await run();
  const schema = await readFile(path.join(prisma, 'schema.prisma'), 'utf8');
  const { stdout, exitCode } = await drift(schema);
  expect(exitCode, stdout ?? '').toBe(0);

  const changed = schema.replace(
    '@@map("message_records")',
    'planted String?\n  @@map("message_records")',
  );
  expect(await drift(changed)).toMatchObject({
    exitCode: 2,
    stdout: expect.stringContaining('ADD COLUMN     "planted" TEXT'),
  });
});
