import { EVENTUALLY } from '@switchboard/testing';
import { describe, expect, test, vi } from 'vitest';
import { type LaneItem, type LaneVerdict, createLanes } from './lanes.ts';

const healthy: LaneVerdict = { healthy: true, pauseMs: 0, again: false };
const failed: LaneVerdict = { healthy: false, pauseMs: 0, again: false };

/** Lanes whose items end when the test says so. */
function createBench(concurrency: number, maxWaiting = 1_000, maxWaitingInAll = 10_000) {
  const started: string[] = [];
  const ends = new Map<string, (verdict: LaneVerdict) => void>();
  const lanes = createLanes<LaneItem>({
    concurrency,
    maxWaiting,
    maxWaitingInAll,
    run: ({ id }) => {
      started.push(id);
      return new Promise((resolve) => ends.set(id, resolve));
    },
  });
  return {
    lanes,
    started,
    add: (lane: string, n: number) => lanes.add({ lane, id: `${lane}${n}` }),
    async end(id: string, verdict: LaneVerdict = healthy) {
      ends.get(id)?.(verdict);
      ends.delete(id);
      // The end of an item is noticed in later turns.
      await new Promise((resolve) => setImmediate(resolve));
    },
    under: (lane: string) => [...ends.keys()].filter((id) => id.startsWith(lane)).length,
  };
}

test('a lane’s backlog delays another lane by a turn, not by the backlog', async () => {
  const { lanes, started, add, end } = createBench(1);
  for (let i = 0; i < 100; i += 1) add('a', i);
  add('b', 0);
  await end('a0');
  await end('a1');
  expect(started).toEqual(['a0', 'a1', 'b0']);
  expect(lanes.waiting).toBe(98);
});

test('one lane never takes the last quarter of the slots', () => {
  const { add, under } = createBench(8);
  for (let i = 0; i < 20; i += 1) add('a', i);
  expect(under('a')).toBe(6);
  add('b', 0);
  add('b', 1);
  expect(under('b')).toBe(2);
});

test('a lane that keeps failing is down to one slot, and back at full width as it succeeds', async () => {
  const { add, end, under } = createBench(8);
  for (let i = 0; i < 40; i += 1) add('a', i);
  for (let i = 0; i < 6; i += 1) await end(`a${i}`, failed);
  expect(under('a')).toBe(1);
  for (let i = 6; i < 12; i += 1) await end(`a${i}`);
  expect(under('a')).toBe(6);
});

test('a paused lane starts nothing, and the others go on', async () => {
  const { add, end, started } = createBench(1);
  add('a', 0);
  add('a', 1);
  await end('a0', { healthy: null, pauseMs: 80, again: false });
  add('b', 0);
  expect(started).toEqual(['a0', 'b0']);
  await end('b0');
  await expect.poll(() => started, EVENTUALLY).toEqual(['a0', 'b0', 'a1']);
});

test('what must be done again waits behind what came meanwhile', async () => {
  const { add, end, started } = createBench(1);
  add('a', 0);
  add('a', 1);
  await end('a0', { healthy: null, pauseMs: 0, again: true });
  await end('a1');
  expect(started).toEqual(['a0', 'a1', 'a0']);
});

test('what waits already is not taken twice, and a full lane refuses', () => {
  const { lanes, add } = createBench(1, 2);
  expect([add('a', 0), add('a', 1), add('a', 2)]).toEqual([true, true, true]);
  expect([add('a', 2), add('a', 3), add('b', 0)]).toEqual([true, false, true]);
  expect(lanes.waiting).toBe(3);
});

test('a held lane keeps what waits, starts nothing, and goes on when it is held no more', async () => {
  const { lanes, add, end, started } = createBench(1);
  add('a', 0);
  add('a', 1);
  lanes.hold('a');
  await end('a0');
  add('a', 2);
  add('b', 0);
  expect(started).toEqual(['a0', 'b0']);
  await end('b0');
  lanes.holdOnly(new Set());
  await end('a1');
  expect(started).toEqual(['a0', 'b0', 'a1', 'a2']);
});

test('what waits in all lanes together is bounded, and a lane with less takes a place of the longest', () => {
  const { lanes, add } = createBench(1, 10, 4);
  add('a', 0);
  for (let i = 1; i <= 4; i += 1) expect(add('a', i)).toBe(true);
  expect(add('a', 5)).toBe(false);
  expect([add('b', 0), add('b', 1), add('b', 2)]).toEqual([true, true, false]);
  expect(lanes.waiting).toBe(4);
  const room = new Map([
    ['a', 8],
    ['b', 8],
  ]);
  expect(lanes.measureRoom()).toEqual({ limit: 1, room, roomOfOthers: 10 });
});

describe('stopping', () => {
  test('hands back what waited, starts nothing more, and waits for what is under way', async () => {
    const { lanes, add, end, started } = createBench(1);
    add('a', 0);
    add('a', 1);
    expect(lanes.stop().map(({ id }) => id)).toEqual(['a1']);
    expect(add('a', 2)).toBe(false);
    let isIdle = false;
    const idle = lanes.idle().then(() => {
      isIdle = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIdle).toBe(false);
    await end('a0', { healthy: null, pauseMs: 50, again: true });
    await idle;
    expect(started).toEqual(['a0']);
  });
});

describe('whoever brings more', () => {
  const settled = async (work: Promise<void>) => {
    let done = false;
    void work.then(() => {
      done = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    return () => done;
  };

  test('waits while the lane has enough waiting, and goes on when it has room', async () => {
    const { lanes, add, end } = createBench(2);
    for (let i = 0; i < 4; i += 1) add('a', i);
    const isDone = await settled(lanes.whenRoom('a', 60_000));
    expect(isDone()).toBe(false);
    await end('a0');
    expect(isDone()).toBe(true);
  });

  test('waits neither for another lane, nor for one that fails, nor when all has stopped', async () => {
    const { lanes, add, end } = createBench(4);
    for (let i = 0; i < 20; i += 1) add('a', i);
    await lanes.whenRoom('b', 60_000);
    const isDone = await settled(lanes.whenRoom('a', 60_000));
    expect(isDone()).toBe(false);
    await end('a0', failed);
    await lanes.whenRoom('a', 60_000);
    lanes.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone()).toBe(true);
  });

  test('waits no longer than its patience', async () => {
    const { lanes, add } = createBench(1);
    add('a', 0);
    add('a', 1);
    const isDone = await settled(lanes.whenRoom('a', 10));
    expect(isDone()).toBe(false);
    await vi.waitFor(() => expect(isDone()).toBe(true), EVENTUALLY);
  });
});
