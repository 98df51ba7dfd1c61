import { createTestDatabase, runCommand, type TestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
});
afterEach(async () => {
  await database.drop();
});

const migrate = (env: Record<string, string>) => runCommand('migrate', { env });

test('concurrent runs of migrate bring the schemas of the service and the queue up to date, and only one applies migrations', async () => {
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => migrate({ DATABASE_URL: database.url })),
  );
  expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    runs.map(() => ({ code: 0, stderr: '' })),
  );
  expect(runs.filter(({ stdout }) => stdout.includes('migrations applied:'))).toHaveLength(1);

  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, boolean>>(
      `SELECT to_regclass('public.messages') IS NOT NULL AS ours,
              to_regclass('bullmq.job') IS NOT NULL AS queue`,
    );
    expect(rows).toEqual([{ ours: true, queue: true }]);
  } finally {
    await client.end();
  }
});

test('migrate reports an unreachable database in one sentence and exits with code 1', async () => {
  const { code, stdout, stderr } = await migrate({ DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^The database can't be reached: .*ECONNREFUSED.*\.\n$/);
});

test('migrate names a missing setting and exits with code 1', async () => {
  expect(await migrate({})).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The settings are not usable:\n  DATABASE_URL: is required\n',
  });
});

test('migrate with PgBouncer uses DIRECT_DATABASE_URL, or reports that it is missing', async () => {
  const behind = { DATABASE_URL: 'postgres://127.0.0.1:1/none?pgbouncer=true' };
  const { code, stderr } = await migrate(behind);
  expect(code).toBe(1);
  expect(stderr).toMatch(/DATABASE_URL: goes through PgBouncer .* set DIRECT_DATABASE_URL/);
  expect(await migrate({ ...behind, DIRECT_DATABASE_URL: database.url })).toMatchObject({
    code: 0,
  });
});

test('migrate reports a role without privileges in one sentence and exits with code 1', async () => {
  const url = new URL(database.url);
  const name = `${url.pathname.slice(1)}_role`;
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(`CREATE ROLE "${name}" LOGIN PASSWORD 'secret'`);
    url.username = name;
    url.password = 'secret';
    const { code, stdout, stderr } = await migrate({ DATABASE_URL: url.href });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'PostgreSQL refused: permission denied for schema public: make the role of DATABASE_URL the owner of the database and its tables.\n',
    );
  } finally {
    await client.query(`DROP ROLE "${name}"`).finally(() => client.end());
  }
});
