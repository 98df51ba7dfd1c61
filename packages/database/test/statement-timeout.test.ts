import { createTestDatabase, openTestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase, isStatementTimeout } from '../src/index.ts';

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('the statement must fail'),
    (error: unknown) => error,
  );

test('a statement that PostgreSQL ends at its timeout is recognized, with and without Prisma', async () => {
  const testDatabase = await createTestDatabase();
  onTestFinished(() => testDatabase.drop());
  // Through PgBouncer, the timeout is that of the database. It is far below that of the client.
  const { pathname } = new URL(testDatabase.url);
  const owner = openTestDatabase(testDatabase.url);
  onTestFinished(() => owner.close());
  await owner.pool.query(`ALTER DATABASE "${pathname.slice(1)}" SET statement_timeout = '2s'`);
  const database = createDatabase({
    url: `${testDatabase.url}?pgbouncer=true`,
    poolSize: 3,
    applicationName: 'test',
    onError: () => undefined,
  });
  onTestFinished(() => database.close());
  const locker = new pg.Client({ connectionString: testDatabase.url });
  await locker.connect();
  onTestFinished(() => locker.end());
  await locker.query('BEGIN; LOCK TABLE saved_replies IN ACCESS EXCLUSIVE MODE');

  const errors = await Promise.all([
    rejection(database.pool.query('SELECT * FROM saved_replies')),
    rejection(database.prisma.savedReply.findMany()),
    rejection(database.prisma.$queryRaw`SELECT 1 AS n FROM saved_replies`),
  ]);
  expect(errors.map(isStatementTimeout)).toEqual([true, true, true]);
});

test('a statement that an operator cancels, or that fails for another reason, did not reach its timeout', async () => {
  const testDatabase = await createTestDatabase();
  onTestFinished(() => testDatabase.drop());
  const database = openTestDatabase(testDatabase.url);
  onTestFinished(() => database.close());
  const client = await database.pool.connect();
  onTestFinished(() => client.release());
  // The cancellation takes effect before the statement ends.
  const canceled = await rejection(
    client.query('SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(60)'),
  );
  expect(canceled).toMatchObject({ code: '57014' });
  const failures = [
    canceled,
    await rejection(client.query('SELECT * FROM no_such_table')),
    await rejection(database.prisma.$queryRaw`SELECT * FROM no_such_table`),
    new Error('Query read timeout'),
  ];
  expect(failures.map(isStatementTimeout)).toEqual([false, false, false, false]);
});
