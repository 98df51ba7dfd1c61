import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestDatabase, createTestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../src/index.ts';
import { judgeMigration } from './judge-migration.ts';
import { readCatalog } from './read-catalog.ts';

// Upgrades are rolling: the previous release runs on the new schema until its last process is replaced.
// So a migration only adds, and does not block longer than clients wait.
const MIGRATIONS = path.resolve(import.meta.dirname, '../../../prisma/migrations');

let directory: string;
let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  database = await createTestDatabase({ empty: true });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(directory, { recursive: true });
});

async function listMigrations(): Promise<string[]> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

async function apply(): Promise<void> {
  await migrate({ databaseUrl: database.url, directory, log: { info: () => undefined } });
}

/** Returns the violations of each migration after the baseline by its name. */
async function judgeAll(): Promise<Map<string, string[]>> {
  const violations = new Map<string, string[]>();
  const [baseline = '', ...others] = await listMigrations();
  const copyMigration = (name: string) =>
    cp(path.join(MIGRATIONS, name), path.join(directory, name), { recursive: true });
  await copyMigration(baseline);
  await apply();
  for (const name of others) {
    const before = await readCatalog(client);
    await copyMigration(name);
    await apply();
    const script = await readFile(path.join(MIGRATIONS, name, 'migration.sql'), 'utf8');
    violations.set(name, judgeMigration({ name, script }, before, await readCatalog(client)));
  }
  return violations;
}

test('every migration lets the previous release keep running, and blocks writes only briefly', async () => {
  const broken = [...(await judgeAll())].filter(([, violations]) => violations.length > 0);
  expect(Object.fromEntries(broken)).toEqual({});
});

test.each<[string, string, RegExp]>([
  ['drops a table', 'DROP TABLE idempotency_keys', /^idempotency_keys is dropped$/],
  [
    'drops a column',
    'ALTER TABLE message_events DROP COLUMN error_detail',
    /^message_events.error_detail is dropped$/,
  ],
  [
    'renames a column',
    'ALTER TABLE message_records RENAME body TO text',
    /^message_records.body is dropped$/,
  ],
  [
    'changes a type',
    'ALTER TABLE message_events ALTER error_detail TYPE varchar(2000)',
    /message_events.error_detail becomes character varying/,
  ],
  [
    'rewrites a table',
    'ALTER TABLE message_records ADD v uuid DEFAULT gen_random_uuid()',
    /is rewritten/,
  ],
  [
    'requires a value that old code does not write',
    'ALTER TABLE message_records ADD priority int NOT NULL',
    /^message_records.priority is new and required$/,
  ],
  [
    'forbids a null that old code writes',
    'ALTER TABLE message_records ALTER provider_sid SET NOT NULL',
    /^message_records.provider_sid may no longer be null$/,
  ],
  [
    'drops a default that old code relies on',
    'ALTER TABLE message_progress ALTER resends DROP DEFAULT',
    /^message_progress.resends loses its default$/,
  ],
  [
    'builds an index on a large table under a lock',
    'CREATE INDEX by_body ON message_records (body)',
    /^by_body on message_records blocks writes/,
  ],
  [
    'adds a unique index',
    'CREATE UNIQUE INDEX one_name ON workspaces (name)',
    /^one_name refuses rows/,
  ],
  [
    'checks all rows of a large table',
    `ALTER TABLE message_records ADD CONSTRAINT filled CHECK (body <> '')`,
    /^message_records.filled reads all of message_records under a lock$/,
  ],
])('the rules reject a migration that %s', async (_what, script, expected) => {
  await cp(MIGRATIONS, directory, { recursive: true });
  await apply();
  const before = await readCatalog(client);
  await mkdir(path.join(directory, '99990101000000_planted'));
  await writeFile(path.join(directory, '99990101000000_planted/migration.sql'), script);
  await apply();
  const planted = { name: '99990101000000_planted', script };
  const violations = judgeMigration(planted, before, await readCatalog(client));
  expect(violations).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
});

test('a migration may drop what the release in its name no longer needs', async () => {
  await cp(MIGRATIONS, directory, { recursive: true });
  await apply();
  const before = await readCatalog(client);
  const script = 'ALTER TABLE message_events DROP COLUMN error_detail';
  await client.query(script);
  const after = await readCatalog(client);
  const judge = (name: string) => judgeMigration({ name, script }, before, after);
  expect(judge('99990101000000_drop_error_detail').length).toBeGreaterThan(0);
  expect(judge('99990101000000_drop_error_detail_needs_99980101000000')).toEqual([]);
});

test.each([
  ['(workspace_id, vendor_account_id, provider_sid)', []],
  ['(workspace_id, provider_sid)', [expect.stringMatching(/refuses rows that were valid before$/)]],
])(
  'the rules accept a unique index on %s only if an older one implies it',
  async (on, expected) => {
    await cp(MIGRATIONS, directory, { recursive: true });
    await apply();
    const before = await readCatalog(client);
    const script = `CREATE UNIQUE INDEX CONCURRENTLY planted ON provider_sids ${on}`;
    await client.query(script);
    const name = '99990101000000_planted';
    expect(judgeMigration({ name, script }, before, await readCatalog(client))).toEqual(expected);
  },
);

test('a migration may build an index on a large table while rows are written', async () => {
  await cp(MIGRATIONS, directory, { recursive: true });
  await apply();
  const before = await readCatalog(client);
  const script = 'CREATE INDEX CONCURRENTLY by_body ON message_records (body);';
  await client.query(script);
  const name = '99990101000000_by_body';
  expect(judgeMigration({ name, script }, before, await readCatalog(client))).toEqual([]);
});
