import { EVENTUALLY } from '@switchboard/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { databaseUrl, client, write, run, history, useEmptyDatabase } from './environment.ts';

useEmptyDatabase();

test('eight concurrent runners all succeed, and each migration is applied by one of them', async () => {
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
    // This statement waits for the migration, and would wait forever if the migration did not roll
    // back.
    await client.query(`SET statement_timeout = '60s'; SELECT * FROM first`);
    await user.query('COMMIT');
    expect(await running).toEqual(['2_second']);
  } finally {
    await user.end();
  }
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
    await client.query(`SET statement_timeout = '60s'; INSERT INTO first VALUES (3)`);
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
