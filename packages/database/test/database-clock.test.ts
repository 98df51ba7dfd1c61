import { EVENTUALLY, createTestDatabase, openTestDatabase } from '@switchboard/testing';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type Database, createDatabaseClock } from '../src/index.ts';
import { DatabaseUnavailableError } from '../src/sql-error.ts';

let database: Database;

/** Allows for a slow answer and a correction of the clock. The wrong clocks are hours off. */
const ROOM_MS = 600_000;

beforeAll(async () => {
  database = openTestDatabase((await createTestDatabase()).url, { poolSize: 1 });
});
afterAll(() => database.close());

test('the database’s clock ignores a wrong machine clock and its steps', async () => {
  const trueTime = () => performance.timeOrigin + performance.now();
  const machine = vi.spyOn(Date, 'now').mockReturnValue(trueTime() - 7_200_000);
  onTestFinished(() => machine.mockRestore());
  const clock = createDatabaseClock({ database, onError: (error) => expect.fail(String(error)) });
  onTestFinished(() => clock.stop());
  await clock.start();
  expect(Math.abs(clock.now() - trueTime())).toBeLessThan(ROOM_MS);
  machine.mockReturnValue(trueTime() + 7_200_000);
  expect(Math.abs(clock.now() - trueTime())).toBeLessThan(ROOM_MS);
  expect(Number.isInteger(clock.now())).toBe(true);
});

test('the database’s clock has no time before its first successful measurement', async () => {
  const errors: unknown[] = [];
  let isUnavailable = true;
  const pool = {
    query: (text: string) =>
      isUnavailable ? Promise.reject(new Error('unavailable')) : database.pool.query(text),
  };
  const clock = createDatabaseClock({
    database: { pool: pool as never },
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => clock.stop());
  await clock.start();
  expect(() => clock.now()).toThrow(DatabaseUnavailableError);
  expect(errors).toHaveLength(1);
  isUnavailable = false;
  await expect.poll(() => Math.abs(clock.now() - Date.now()), EVENTUALLY).toBeLessThan(ROOM_MS);
});
