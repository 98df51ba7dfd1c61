import { EVENTUALLY } from '@switchboard/testing';
import { describe, expect, test, vi } from 'vitest';
import type { CallSlot } from './call-slots.ts';
import type { RunResult, TenantItem, RunItem } from './tenant-queue.ts';
import { createTenantQueues } from './tenant-queues.ts';

const healthy: RunResult = { healthy: true, pauseMs: 0, again: false };
const failed: RunResult = { healthy: false, pauseMs: 0, again: false };

function createQueues(
  concurrency: number,
  run: RunItem<TenantItem>,
  { maxWaiting = 1_000, maxWaitingInAll = 10_000 } = {},
) {
  const queues = createTenantQueues<TenantItem>({ concurrency, maxWaiting, maxWaitingInAll });
  queues.start(run);
  const add = (workspaceId: string, n: number) =>
    queues.add({ workspaceId, id: `${workspaceId}${n}` });
  return { queues, add };
}

/** Creates tenant queues whose items end when the test requires it. */
function createHarness(concurrency: number, maxWaiting = 1_000, maxWaitingInAll = 10_000) {
  const started: string[] = [];
  const ends = new Map<string, (result: RunResult) => void>();
  const { queues, add } = createQueues(
    concurrency,
    ({ id }) => {
      started.push(id);
      return new Promise((resolve) => ends.set(id, resolve));
    },
    { maxWaiting, maxWaitingInAll },
  );
  return {
    queues,
    started,
    add,
    async end(id: string, result: RunResult = healthy) {
      ends.get(id)?.(result);
      ends.delete(id);
      // The queue processes the end of an item in a later turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    },
    under: (queue: string) => [...ends.keys()].filter((id) => id.startsWith(queue)).length,
  };
}

test('a backlog delays the item of another workspace by one turn', async () => {
  const { queues, started, add, end } = createHarness(1);
  for (let i = 0; i < 100; i += 1) add('a', i);
  add('b', 0);
  await end('a0');
  await end('a1');
  expect(started).toEqual(['a0', 'a1', 'b0']);
  expect(queues.waiting).toBe(98);
});

test('one queue gets at most three quarters of the slots', () => {
  const { add, under } = createHarness(8);
  for (let i = 0; i < 20; i += 1) add('a', i);
  expect(under('a')).toBe(6);
  add('b', 0);
  add('b', 1);
  expect(under('b')).toBe(2);
});

test('a queue that keeps failing gets one slot, and gets all its slots back as calls succeed', async () => {
  const { add, end, under } = createHarness(8);
  for (let i = 0; i < 40; i += 1) add('a', i);
  for (let i = 0; i < 6; i += 1) await end(`a${i}`, failed);
  expect(under('a')).toBe(1);
  for (let i = 6; i < 12; i += 1) await end(`a${i}`);
  expect(under('a')).toBe(6);
});

test('a paused queue starts no item, and other queues continue', async () => {
  const { add, end, started } = createHarness(1);
  add('a', 0);
  add('a', 1);
  await end('a0', { healthy: null, pauseMs: 1_000, again: false });
  add('b', 0);
  expect(started).toEqual(['a0', 'b0']);
  await end('b0');
  await expect.poll(() => started, EVENTUALLY).toEqual(['a0', 'b0', 'a1']);
});

test('a throttled account starts its items one after the other, at its pace, and other queues continue', async () => {
  const { add, end, started } = createHarness(4);
  for (let i = 0; i < 6; i += 1) add('a', i);
  expect(started).toEqual(['a0', 'a1', 'a2']);
  const throttled: RunResult = { healthy: null, isThrottled: true, pauseMs: 0, again: true };
  for (let i = 0; i < 3; i += 1) await end(`a${i}`, throttled);
  // The slots are free, but the account has accepted nothing yet.
  expect(started).toHaveLength(3);
  add('b', 0);
  expect(started).toEqual(['a0', 'a1', 'a2', 'b0']);
  await expect.poll(() => started.length, EVENTUALLY).toBe(5);
  expect(started.at(-1)).toBe('a3');
});

test('an item that must run again waits behind items that were added in between', async () => {
  const { add, end, started } = createHarness(1);
  add('a', 0);
  add('a', 1);
  await end('a0', { healthy: null, pauseMs: 0, again: true });
  await end('a1');
  expect(started).toEqual(['a0', 'a1', 'a0']);
});

test('an item is not queued twice, and a full queue refuses further items', () => {
  const { queues, add } = createHarness(1, 2);
  expect([add('a', 0), add('a', 1), add('a', 2)]).toEqual([true, true, true]);
  expect([add('a', 2), add('a', 3), add('b', 0)]).toEqual([true, false, true]);
  expect(queues.waiting).toBe(3);
});

test('a held queue keeps its items, starts none, and continues when it is released', async () => {
  const { queues, add, end, started } = createHarness(1);
  add('a', 0);
  add('a', 1);
  queues.hold('a');
  await end('a0');
  add('a', 2);
  add('b', 0);
  expect(started).toEqual(['a0', 'b0']);
  await end('b0');
  queues.holdOnly(new Set());
  await end('a1');
  expect(started).toEqual(['a0', 'b0', 'a1', 'a2']);
});

test('the number of items in all queues is limited, and a short queue replaces an item of the longest', () => {
  const { queues, add } = createHarness(1, 10, 4);
  add('a', 0);
  for (let i = 1; i <= 4; i += 1) expect(add('a', i)).toBe(true);
  expect(add('a', 5)).toBe(false);
  expect([add('b', 0), add('b', 1), add('b', 2)]).toEqual([true, true, false]);
  expect(queues.waiting).toBe(4);
  const capacities = new Map([
    ['a', 8],
    ['b', 8],
  ]);
  expect(queues.measureCapacity()).toEqual({ limit: 1, capacities, capacityOfOthers: 10 });
});

describe('items whose response is being stored', () => {
  /**
   * Creates tenant queues whose items call immediately and end their slots when the test requires
   * it.
   */
  function createCalls(concurrency: number) {
    const slots: CallSlot[] = [];
    const { queues, add } = createQueues(concurrency, async (_item, slot) => {
      await slot.begin();
      slots.push(slot);
      return new Promise(() => undefined);
    });
    return { queues, add, slots };
  }

  test('a finished call frees its slot for the next item before its response is stored', async () => {
    const { add, slots } = createCalls(1);
    add('a', 0);
    add('a', 1);
    await vi.waitFor(() => expect(slots).toHaveLength(1), EVENTUALLY);
    slots[0]?.end();
    await vi.waitFor(() => expect(slots).toHaveLength(2), EVENTUALLY);
  });

  test('no more items start while eight responses for each slot wait to be stored', async () => {
    const { queues, add, slots } = createCalls(1);
    for (let i = 0; i < 20; i += 1) add('a', i);
    for (let i = 0; i < 8; i += 1) {
      await vi.waitFor(() => expect(slots).toHaveLength(i + 1), EVENTUALLY);
      slots[i]?.end();
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(slots).toHaveLength(8);
    expect(queues).toMatchObject({ inFlight: 8, waiting: 12 });
  });
});

describe('stopped queues', () => {
  test('stop returns the waiting items and starts no more, and idle waits for items in flight', async () => {
    const { queues, add, end, started } = createHarness(1);
    add('a', 0);
    add('a', 1);
    expect(queues.stop().map(({ id }) => id)).toEqual(['a1']);
    expect(add('a', 2)).toBe(false);
    let isIdle = false;
    const idle = queues.idle().then(() => {
      isIdle = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIdle).toBe(false);
    await end('a0', { healthy: null, pauseMs: 50, again: true });
    await idle;
    expect(started).toEqual(['a0']);
  });
});

describe('waitForCapacity', () => {
  const watchWork = async (work: Promise<void>) => {
    let done = false;
    void work.then(() => {
      done = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    return () => done;
  };

  test('waitForCapacity waits while the queue has enough items, and resolves when it has capacity', async () => {
    const { queues, add, end } = createHarness(2);
    for (let i = 0; i < 4; i += 1) add('a', i);
    const isDone = await watchWork(queues.waitForCapacity('a', 60_000));
    expect(isDone()).toBe(false);
    await end('a0');
    expect(isDone()).toBe(true);
  });

  test('waitForCapacity resolves immediately for another queue, a failing queue and stopped queues', async () => {
    const { queues, add, end } = createHarness(4);
    for (let i = 0; i < 20; i += 1) add('a', i);
    await queues.waitForCapacity('b', 60_000);
    const isDone = await watchWork(queues.waitForCapacity('a', 60_000));
    expect(isDone()).toBe(false);
    await end('a0', failed);
    await queues.waitForCapacity('a', 60_000);
    queues.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone()).toBe(true);
  });

  test('waitForCapacity resolves after its timeout at the latest', async () => {
    const { queues, add } = createHarness(1);
    add('a', 0);
    add('a', 1);
    const isDone = await watchWork(queues.waitForCapacity('a', 1_000));
    expect(isDone()).toBe(false);
    await vi.waitFor(() => expect(isDone()).toBe(true), EVENTUALLY);
  });
});
