import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { MigrationError } from '../../src/index.ts';
import {
  directory,
  databaseUrl,
  client,
  write,
  run,
  tables,
  history,
  FUNCTION,
  useEmptyDatabase,
} from './environment.ts';

useEmptyDatabase();

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
  await expect(run()).rejects.toThrow(/1_first was applied but is not in the migrations folder/);
});

test('an older version starts on a schema that a newer version has extended', async () => {
  await write('1_first', 'CREATE TABLE first (id int);');
  await write('2_second', 'ALTER TABLE first ADD COLUMN note text;');
  await run();
  await rm(path.join(directory, '2_second'), { recursive: true });
  const logged: unknown[] = [];
  expect(await run({ log: { info: (fields) => void logged.push(fields) } })).toEqual([]);
  expect(logged).toEqual([{ migrations: ['2_second'] }]);
});

test('a version that needs what a later version dropped does not start, and other versions start', async () => {
  await write('1_first', 'CREATE TABLE first (id int, note text);');
  await write('2_use_note_no_more', 'ALTER TABLE first ADD COLUMN remark text;');
  await write('3_drop_note_needs_2', 'ALTER TABLE first DROP COLUMN note;');
  await run();
  await rm(path.join(directory, '3_drop_note_needs_2'), { recursive: true });
  expect(await run()).toEqual([]);
  await rm(path.join(directory, '2_use_note_no_more'), { recursive: true });
  await expect(run()).rejects.toThrow(/3_drop_note_needs_2 removed what this version needs/);
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

test('a statement that can’t run in a transaction is refused with an error that says how to run it', async () => {
  await write('1_first', 'CREATE TABLE first (id int);');
  await write('2_second', 'SELECT 1; CREATE INDEX CONCURRENTLY first_id ON first (id);');
  await expect(run()).rejects.toThrow(/must have its own folder/);
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

test('a database of a PostgreSQL that is too old is refused before anything is applied', async () => {
  await write('1_first', 'CREATE TABLE first (id int);');
  const { pathname } = new URL(databaseUrl);
  // A function before PostgreSQL's own reports another version. Through PgBouncer, the runner sets no search_path.
  await client.query(
    `CREATE SCHEMA fake;
     CREATE FUNCTION fake.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT '140022' $$;
     ALTER DATABASE "${pathname.slice(1)}" SET search_path = fake, public, pg_catalog`,
  );
  await expect(run({ databaseUrl: `${databaseUrl}?pgbouncer=true` })).rejects.toThrow(
    'PostgreSQL 14 is too old: upgrade it to 15 or newer.',
  );
  expect(await tables()).toEqual([]);
});

test('an unreachable database and a folder without migrations are each reported in one sentence', async () => {
  await expect(run()).rejects.toThrow(`There are no migrations in ${directory}.`);
  await write('1_first', 'CREATE TABLE first (id int);');
  await expect(run({ databaseUrl: 'postgres://127.0.0.1:1/none' })).rejects.toThrow(
    /^The database can't be reached: .*ECONNREFUSED/,
  );
});
