import { type TestDatabase, createTestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, createDatabase, isDatabaseUnavailable } from '../src/index.ts';

const STATEMENT_MS = 2_000;
let testDatabase: TestDatabase;
let database: Database;
let locker: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({
    url: testDatabase.url,
    poolSize: 5,
    applicationName: 'test',
    connectTimeoutMs: 60_000,
    statementTimeoutMs: STATEMENT_MS,
    onError: () => undefined,
  });
  locker = new pg.Client({ connectionString: testDatabase.url });
  await locker.connect();
});
afterAll(async () => {
  await locker.end();
  await database.close();
  await testDatabase.drop();
});

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('the statement must fail'),
    (error: unknown) => error,
  );

test('a write that waits for a lock until its timeout finds the database unavailable, in each client', async () => {
  const { prisma, pool } = database;
  await locker.query('BEGIN; LOCK TABLE workspaces');
  const failures = await Promise.all([
    rejection(pool.query('UPDATE workspaces SET name = name')),
    rejection(prisma.workspace.updateMany({ data: { name: 'x' } })),
    rejection(prisma.$transaction((tx) => tx.workspace.updateMany({ data: { name: 'x' } }))),
    rejection(
      prisma.$transaction((tx) => tx.$queryRaw`SELECT 1 FROM workspaces FOR NO KEY UPDATE`),
    ),
  ]);
  await locker.query('ROLLBACK');
  expect(failures.map(isDatabaseUnavailable)).toEqual([true, true, true, true]);
});

test('a transaction that takes longer than its timeout was rolled back, and finds the database unavailable', async () => {
  const slow = (pauseMs: number, statements: number) =>
    database.prisma.$transaction(async (tx) => {
      for (let n = 0; n < statements; n += 1) await tx.$queryRaw`SELECT 1 FROM pg_sleep(0.3)`;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    });
  const failures = [
    // At its next statement, and at its commit.
    await rejection(slow(0, 30)),
    await rejection(slow(STATEMENT_MS, 1)),
  ];
  expect(failures).toMatchObject([{ code: 'P2028' }, { code: 'P2028' }]);
  expect(failures.map(isDatabaseUnavailable)).toEqual([true, true]);
});

test('a deadlock victim and a transaction whose connection ends report an unavailable database', async () => {
  const { prisma } = database;
  const lock = (tx: Pick<typeof prisma, '$queryRaw'>, key: number) =>
    tx.$queryRaw`SELECT pg_advisory_xact_lock(${key})::text`;
  let locked = 0;
  let release = (): void => undefined;
  const bothLocked = new Promise<void>((resolve) => (release = resolve));
  const results = await Promise.allSettled(
    [
      [1, 2],
      [2, 1],
    ].map(([first = 0, second = 0]) =>
      prisma.$transaction(async (tx) => {
        await lock(tx, first);
        locked += 1;
        if (locked === 2) release();
        await bothLocked;
        await lock(tx, second);
      }),
    ),
  );
  const victims = results.flatMap((result): unknown[] =>
    result.status === 'rejected' ? [result.reason] : [],
  );
  expect(victims.length).toBeGreaterThan(0);
  const ended = await rejection(
    prisma.$transaction((tx) => tx.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`),
  );
  for (const failure of [...victims, ended]) expect(isDatabaseUnavailable(failure)).toBe(true);
});

test('a statement that can never succeed does not find the database unavailable, in each client', async () => {
  const { prisma, pool } = database;
  const failures = [
    await rejection(pool.query('SELECT * FROM no_such_table')),
    await rejection(prisma.$queryRaw`SELECT * FROM no_such_table`),
    await rejection(prisma.$queryRaw`SELECT 1 / 0`),
    await rejection(prisma.$executeRaw`INSERT INTO workspaces (id) VALUES (NULL)`),
  ];
  expect(failures.map(isDatabaseUnavailable)).toEqual([false, false, false, false]);
});
