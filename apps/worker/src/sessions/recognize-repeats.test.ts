import { createHash } from 'node:crypto';
import { createLogger } from '@switchboard/runtime';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRepeats } from './recognize-repeats.ts';
import type { UsableAccount } from './usable-account.ts';

const digest = createHash('sha256').update('Yes').digest();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const identified: string[] = [];
  const forgotten: string[] = [];
  const stored: string[] = [];
  const repeats = createRepeats({
    deliveries: {
      async identify({ connection }) {
        identified.push(connection);
        return `delivery ${identified.length}`;
      },
      async forget(_workspaceId, ids) {
        forgotten.push(...ids);
      },
      limitRepeats: async () => undefined,
      deleteExpired: async () => 0,
    },
    account: { workspaceId: 'w', id: 'p' } as UsableAccount,
    isHeld: () => true,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const store = async (id: string): Promise<void> => void stored.push(id);
  return { repeats, identified, forgotten, stored, store };
}

test('an equal message in the same connection counts as a different message', async () => {
  const { repeats, stored, store } = start();
  await repeats.identify(digest, store);
  await repeats.identify(digest, store);
  expect(stored).toEqual(['delivery 1', 'delivery 2']);
});

test('a delivery that was not stored has the same identifier when the provider repeats it', async () => {
  const { repeats, stored, store } = start();
  const refused = repeats.identify(digest, async () => {
    throw new Error('the database does not respond');
  });
  await expect(refused).rejects.toThrow('the database does not respond');
  await repeats.identify(digest, store);
  await repeats.identify(digest, store);
  expect(stored).toEqual(['delivery 1', 'delivery 2']);
});

test('a delivery that is answered late has the same identifier when the provider repeats it', async () => {
  const { repeats, stored, store } = start();
  await repeats.identify(digest, async (id) => {
    await vi.advanceTimersByTimeAsync(3_000);
    await store(id);
  });
  await repeats.identify(digest, store);
  expect(stored).toEqual(['delivery 1', 'delivery 1']);
});

test('a delivery is deleted once its connection has outlived the response, and not before', async () => {
  const { repeats, forgotten, store } = start();
  repeats.onStateChange(true);
  await repeats.identify(digest, store);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(forgotten).toEqual([]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(forgotten).toEqual(['delivery 1']);

  await repeats.identify(digest, store);
  repeats.onStateChange(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(forgotten).toEqual(['delivery 1']);
});

test('a delivery that a closing session still stores is not forgotten', async () => {
  const { repeats, forgotten, store } = start();
  repeats.onStateChange(true);
  repeats.onStateChange(false);
  await repeats.identify(digest, store);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(forgotten).toEqual([]);
});

test('deliveries after a lost connection count as deliveries of a new connection, even before the next bind is reported', async () => {
  const { repeats, identified, store } = start();
  await repeats.identify(digest, store);
  repeats.onStateChange(false);
  await repeats.identify(digest, store);
  repeats.onStateChange(true);
  await repeats.identify(digest, store);
  expect(identified[1]).not.toBe(identified[0]);
  expect(identified[2]).toBe(identified[1]);
});

test('equal deliveries that are read together after a pause of the process have the same identifier', async () => {
  vi.useRealTimers();
  const { repeats, stored, store } = start();
  repeats.onStateChange(true);
  suspend(2_100);
  await Promise.all([repeats.identify(digest, store), repeats.identify(digest, store)]);
  expect(stored).toEqual(['delivery 1']);
  await repeats.identify(digest, store);
  expect(stored).toEqual(['delivery 1', 'delivery 1']);
});

test('equal deliveries that are read together with the response to a bind, after a pause, have the same identifier', async () => {
  vi.useRealTimers();
  const { repeats, stored, store } = start();
  suspend(2_100);
  const delivered = [repeats.identify(digest, store), repeats.identify(digest, store)];
  repeats.onStateChange(true);
  await Promise.all(delivered);
  expect(stored).toEqual(['delivery 1']);
});

/** Stops this process, as SIGSTOP or a busy machine does. */
function suspend(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
