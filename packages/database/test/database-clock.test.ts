import { createTestDatabase } from '@switchboard/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Database, createDatabase, createDatabaseClock } from '../src/index.ts';

let database: Database;

beforeAll(async () => {
  database = createDatabase({
    url: (await createTestDatabase()).url,
    poolSize: 1,
    applicationName: 'database-clock-test',
    onError: () => undefined,
  });
});
afterAll(() => database.close());

test('the database’s clock ignores a wrong machine clock and its steps', async () => {
  const machine = { offsetMs: -7_200_000 };
  const clock = createDatabaseClock({
    database,
    onError: (error) => expect.fail(String(error)),
    local: { now: () => Date.now() + machine.offsetMs, monotonic: () => performance.now() },
  });
  onTestFinished(() => clock.stop());
  await clock.start();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000);
  machine.offsetMs = 7_200_000;
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000);
  expect(Number.isInteger(clock.now())).toBe(true);
});

test('without a measurement the clock uses the machine’s time and reports the failure', async () => {
  const errors: unknown[] = [];
  const clock = createDatabaseClock({
    database: { pool: { query: () => Promise.reject(new Error('away')) } as never },
    onError: (error) => errors.push(error),
    local: { now: () => 42, monotonic: () => performance.now() },
  });
  onTestFinished(() => clock.stop());
  await clock.start();
  expect(clock.now()).toBe(42);
  expect(errors).toHaveLength(1);
});
