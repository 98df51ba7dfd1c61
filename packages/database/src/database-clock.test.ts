import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DatabaseClock, createDatabaseClock } from './database-clock.ts';

const HOUR_MS = 3_600_000;
let databaseMs: number;
let monotonicMs: number;
let answerMs: number;
let clock: DatabaseClock;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  [databaseMs, monotonicMs, answerMs] = [1_790_000_000_000, 0, 2];
  // All clocks advance by the same time, whatever they show.
  const pass = (ms: number) => {
    databaseMs += ms;
    monotonicMs += ms;
  };
  const pool = {
    async query() {
      pass(answerMs / 2);
      const rows = [{ now: databaseMs }];
      pass(answerMs / 2);
      return { rows };
    },
  };
  clock = createDatabaseClock({
    database: { pool } as never,
    local: { monotonic: () => monotonicMs },
    onError: (error) => expect.fail(String(error)),
  });
});
afterEach(() => {
  clock.stop();
  vi.useRealTimers();
});

test('the time follows a step of the database’s clock, and never goes back for a small correction', async () => {
  await clock.start();
  const before = clock.now();
  expect(before).toBe(databaseMs);
  databaseMs -= 50;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(clock.now()).toBe(before);
  for (const stepMs of [HOUR_MS, -HOUR_MS]) {
    databaseMs += stepMs;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(clock.now()).toBe(databaseMs);
  }
});

test('a measurement that was slow is repeated soon', async () => {
  answerMs = 8_000;
  await clock.start();
  databaseMs += 3_000;
  answerMs = 2;
  await vi.advanceTimersByTimeAsync(500);
  expect(clock.now()).toBe(databaseMs);
});

test('a slow measurement does not replace a fast one', async () => {
  await clock.start();
  databaseMs += 500;
  answerMs = 3_000;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(clock.now()).toBe(databaseMs - 500);
});
