import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EVENTUALLY, createTestDatabase, type TestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, type MigrateOptions, MigrationError } from '../src/index.ts';

let directory: string;
let databaseUrl: string;
let database: TestDatabase;
let client: pg.Client;

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

async function write(name: string, script: string): Promise<void> {
  await mkdir(path.join(directory, name), { recursive: true });
  await writeFile(path.join(directory, name, 'migration.sql'), script);
}

function run(options: Partial<MigrateOptions> = {}): Promise<string[]> {
  return migrate({ databaseUrl, directory, log: { info: () => undefined }, ...options });
}

async function tables(): Promise<string[]> {
  const { rows } = await client.query<{ tablename: string }>(
    `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename !~ '^_' ORDER BY 1`,
  );
  return rows.map((row) => row.tablename);
}

async function history() {
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
const FUNCTION = `
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.note := 'a;b';
  RETURN NEW;
END;
$$;`;

test('a fresh database gets every migration once, in the order of their names', async () => {
  await write('20260102000000_second', 'ALTER TABLE first ADD COLUMN note text;');
  await write('20260101000000_first', `CREATE TABLE first (id int); ${FUNCTION}`);
  await writeFile(path.join(directory, 'migration_lock.toml'), 'provider = "postgresql"\n');

  expect(await run()).toEqual(['20260101000000_first', '20260102000000_second']);
  expect(await run()).toEqual([]);
  expect(await history()).toEqual([
    {
      migration_name: '20260101000000_first',
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      logs: null,
      finished: true,
      rolled_back: false,
      applied_steps_count: 1,
    },
    expect.objectContaining({ migration_name: '20260102000000_second' }),
  ]);
});

test('eight runners at once all succeed, and each migration is applied by one of them', async () => {
  await write('1_first', 'CREATE TABLE first (id int); SELECT pg_sleep(0.2);');
  await write('2_second', 'CREATE TABLE second (id int);');
  let running = 0;
  const after = async () => {
    running += 1;
    expect(running).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    running -= 1;
  };
  const runs = await Promise.all(Array.from({ length: 8 }, () => run({ after: [after] })));
  expect(runs.flat().toSorted()).toEqual(['1_first', '2_second']);
  expect(await history()).toHaveLength(2);
});

test('a failed migration changes nothing, and a fixed one continues from there', async () => {
  await write('1_first', 'CREATE TABLE first (id int);');
  await write('2_second', 'CREATE TABLE second (id int);\nCREATE TABLE third (id nonsense);');
  await expect(run()).rejects.toThrow(
    'Migration 2_second failed: type "nonsense" does not exist (line 2).',
  );
  expect(await tables()).toEqual(['first']);
  expect(await history()).toMatchObject([
    { migration_name: '1_first', finished: true },
    {
      migration_name: '2_second',
      finished: false,
      rolled_back: true,
      applied_steps_count: 0,
      logs: expect.stringContaining('nonsense'),
    },
  ]);

  await write('2_second', 'CREATE TABLE second (id int);\nCREATE TABLE third (id int);');
  expect(await run()).toEqual(['2_second']);
  expect(await tables()).toEqual(['first', 'second', 'third']);
});

test('a migration and its record are one transaction', async () => {
  await write('1_first', 'CREATE TABLE first (id int);');
  await run();
  await client.query(`ALTER TABLE _prisma_migrations ADD CHECK (migration_name <> '2_second')`);
  await write('2_second', 'CREATE TABLE second (id int);');
  await expect(run()).rejects.toThrow(/violates check constraint.* could not be recorded either/s);
  expect(await tables()).toEqual(['first']);
});

test('a process that dies during a migration changes nothing', async () => {
  await write('1_first', 'CREATE TABLE first (id int); SELECT pg_sleep(30);');
  const running = run().catch((error: unknown) => error);
  await expect
    .poll(async () => {
      const { rowCount } = await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name = 'switchboard-migrate' AND datname = current_database()
            AND wait_event = 'PgSleep'`,
      );
      return rowCount;
    }, EVENTUALLY)
    .toBe(1);
  expect(await running).toBeInstanceOf(MigrationError);
  expect(await tables()).toEqual([]);
  await write('1_first', 'CREATE TABLE first (id int);');
  expect(await run()).toEqual(['1_first']);
});

test('an edited migration stops the run before anything is applied', async () => {
  await write('1_first', 'CREATE TABLE first (id int);');
  await run();
  await write('1_first', 'CREATE TABLE first (id bigint);');
  await write('2_second', 'CREATE TABLE second (id int);');
  await expect(run()).rejects.toThrow(/1_first was edited after it was applied/);
  expect(await tables()).toEqual(['first']);
});

test('different line endings do not count as an edit', async () => {
  await write('1_first', 'CREATE TABLE first (\n  id int\n);\n');
  await run();
  await write('1_first', 'CREATE TABLE first (\r\n  id int\r\n);\r\n');
  expect(await run()).toEqual([]);
});

test('an applied migration whose file is missing stops the run', async () => {
  await write('1_first', 'CREATE TABLE first (id int);');
  await write('2_second', 'CREATE TABLE second (id int);');
  await run();
  await rm(path.join(directory, '1_first'), { recursive: true });
  await expect(run()).rejects.toThrow(/1_first was applied but is not in the folder/);
});

test('an older version starts on a schema to which a newer version has added', async () => {
  await write('1_first', 'CREATE TABLE first (id int);');
  await write('2_second', 'ALTER TABLE first ADD COLUMN note text;');
  await run();
  await rm(path.join(directory, '2_second'), { recursive: true });
  const logged: unknown[] = [];
  expect(await run({ log: { info: (fields) => void logged.push(fields) } })).toEqual([]);
  expect(logged).toEqual([{ migrations: ['2_second'] }]);
});

test('a version that needs what a later version dropped does not start, and others do', async () => {
  await write('1_first', 'CREATE TABLE first (id int, note text);');
  await write('2_use_note_no_more', 'ALTER TABLE first ADD COLUMN remark text;');
  await write('3_drop_note_needs_2', 'ALTER TABLE first DROP COLUMN note;');
  await run();
  await rm(path.join(directory, '3_drop_note_needs_2'), { recursive: true });
  expect(await run()).toEqual([]);
  await rm(path.join(directory, '2_use_note_no_more'), { recursive: true });
  await expect(run()).rejects.toThrow(/3_drop_note_needs_2 removed what this version needs/);
});

test('a migration that waits for a busy table does not block later statements on it', async () => {
  await write('1_first', 'CREATE TABLE first (id int);');
  await run();
  const user = new pg.Client({ connectionString: databaseUrl });
  await user.connect();
  try {
    await user.query('BEGIN; SELECT * FROM first');
    await write('2_second', 'ALTER TABLE first ADD COLUMN note text;');
    const running = run();
    const isWaiting = async () => {
      const { rowCount } = await client.query(
        `SELECT FROM pg_locks WHERE relation = 'first'::regclass AND NOT granted`,
      );
      return rowCount === 1;
    };
    await expect.poll(isWaiting, { ...EVENTUALLY, interval: 20 }).toBe(true);
    // This waits behind the migration. Either the migration gives way, or it waits forever.
    await client.query(`SET statement_timeout = '10s'; SELECT * FROM first`);
    await user.query('COMMIT');
    expect(await running).toEqual(['2_second']);
  } finally {
    await user.end();
  }
});

test('a migration that another tool left unfinished stops the run', async () => {
  await write('1_first', 'CREATE TABLE first (id int);');
  await run();
  await client.query('UPDATE _prisma_migrations SET finished_at = NULL');
  await expect(run()).rejects.toThrow(/1_first was started by another tool and never finished/);
});

test('a migration that ends its own transaction is refused before it runs', async () => {
  for (const script of ['CREATE TABLE a ();\nCOMMIT;', 'begin transaction;\nCREATE TABLE a ();']) {
    await write('1_first', script);
    await expect(run()).rejects.toThrow('begins or ends a transaction');
  }
  expect(await tables()).toEqual([]);
});

test('a statement that can’t run in a transaction is refused, with the way to run it', async () => {
  await write('1_first', 'CREATE TABLE first (id int);');
  await write('2_second', 'SELECT 1; CREATE INDEX CONCURRENTLY first_id ON first (id);');
  await expect(run()).rejects.toThrow(/must have its own folder/);
});

test('an index is built while rows are written, and replaces what a failed attempt left', async () => {
  await write('1_first', 'CREATE TABLE first (id int);');
  await run();
  await client.query('INSERT INTO first VALUES (1), (1)');
  await write('2_index', '-- why\nCREATE UNIQUE INDEX CONCURRENTLY first_id ON first (id);');
  await expect(run()).rejects.toThrow(/could not create unique index/);
  await client.query('DELETE FROM first');

  const writer = new pg.Client({ connectionString: databaseUrl });
  await writer.connect();
  try {
    await writer.query('BEGIN; INSERT INTO first VALUES (2)');
    const runs = Promise.all([run(), run(), run()]);
    const isBuilding = async () => {
      const { rowCount } = await client.query(
        `SELECT FROM pg_stat_activity WHERE query LIKE '%INDEX CONCURRENTLY first_id%'
           AND pid <> pg_backend_pid() AND wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    };
    await expect.poll(isBuilding, { ...EVENTUALLY, interval: 20 }).toBe(true);
    await client.query(`SET statement_timeout = '5s'; INSERT INTO first VALUES (3)`);
    await writer.query('COMMIT');
    expect((await runs).flat()).toEqual(['2_index']);
  } finally {
    await writer.end();
  }
  const { rows } = await client.query(
    `SELECT indisvalid FROM pg_index WHERE indexrelid = 'first_id'::regclass`,
  );
  expect(rows).toEqual([{ indisvalid: true }]);
});

test('a migration run waits for another run for a limited time', async () => {
  await write('1_first', 'CREATE TABLE first (id int);');
  await client.query('SELECT pg_advisory_lock(72707369)');
  await expect(run({ waitMs: 100 })).rejects.toThrow(
    'Another process has been migrating this database for more than 0.1 seconds.',
  );
});

test('additional migrations run after ours, under the same lock', async () => {
  await write('1_first', 'CREATE TABLE first (id int);');
  const seen: unknown[] = [];
  const after = async (url: string) => {
    const { rows } = await client.query<{ free: boolean }>(
      'SELECT pg_try_advisory_lock(72707369) AS free',
    );
    seen.push(url, await tables(), rows[0]?.free);
  };
  await run({ after: [after] });
  expect(seen).toEqual([databaseUrl, ['first'], false]);
});

test('an unreachable database and a folder without migrations are each reported in one sentence', async () => {
  await expect(run()).rejects.toThrow(`There are no migrations in ${directory}.`);
  await write('1_first', 'CREATE TABLE first (id int);');
  await expect(run({ databaseUrl: 'postgres://127.0.0.1:1/none' })).rejects.toThrow(
    /^The database can't be reached: .*ECONNREFUSED/,
  );
});
