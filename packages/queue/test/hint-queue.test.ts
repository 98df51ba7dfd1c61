import { setTimeout as delay } from 'node:timers/promises';

import { EVENTUALLY, BACKENDS } from '@switchboard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  createGate,
  createHarness,
  enqueueApart,
  idsOf,
  IN_TIME_MS,
  makeHints,
} from './harness.ts';

/** The timeout of closing a consumer whose hints are processed in time, even on a busy machine. */
const CLOSE_MS = 60_000;

describe.each(BACKENDS)('the hint queue on $name', ({ open }) => {
  let backend: Awaited<ReturnType<typeof open>>;
  let harness: ReturnType<typeof createHarness>;

  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.close());
  beforeEach(() => {
    harness = createHarness(backend.options);
  });
  afterEach(() => harness.close());

  test.each([1, 48, 49, 250, 400])(
    'the queue delivers %i hints of one call to a consumer, each exactly once',
    async (count) => {
      const producer = harness.produce();
      const consumer = harness.consume();
      const hints = makeHints(count);
      await producer.enqueue(hints);
      await vi.waitFor(() => expect(consumer.taken).toHaveLength(count), EVENTUALLY);
      await vi.waitFor(async () => expect(await producer.countPending()).toBe(0), EVENTUALLY);
      expect(idsOf(consumer.taken)).toEqual(idsOf(hints));
      expect(consumer.taken.find((hint) => hint.messageId === hints[0]?.messageId)).toEqual(
        hints[0],
      );
      expect(harness.errors).toEqual([]);
    },
  );

  test('the queue serves workspaces in turn, not hints in order of arrival', async () => {
    const producer = harness.produce();
    const busy = makeHints(40).map((hint) => ({ ...hint, workspaceId: 'busy' }));
    const quiet = makeHints(2).map((hint) => ({ ...hint, workspaceId: 'quiet' }));
    await enqueueApart(producer, busy);
    await enqueueApart(producer, quiet);
    const consumer = harness.consume({ concurrency: 1 });
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(42), EVENTUALLY);
    const order = consumer.taken.map((hint) => hint.workspaceId);
    expect(order.slice(0, 5).filter((workspaceId) => workspaceId === 'quiet')).toHaveLength(2);
    expect(consumer.taken.filter((hint) => hint.workspaceId === 'busy')).toEqual(busy);
    expect(harness.errors).toEqual([]);
  });

  test('the queue packs hints of one call into shared jobs, and a later hint of another workspace waits for at most one of these jobs', async () => {
    const producer = harness.produce();
    const busy = makeHints(480).map((hint) => ({ ...hint, workspaceId: 'busy' }));
    const [single] = makeHints(1).map((hint) => ({ ...hint, workspaceId: 'quiet' }));
    if (single === undefined) throw new Error('makeHints(1) returned no hint');
    await producer.enqueue(busy);
    expect(await producer.countPending()).toBe(10);
    await producer.enqueue([single]);
    const consumer = harness.consume({ concurrency: 1 });
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(481), EVENTUALLY);
    const before = consumer.taken.findIndex((hint) => hint.workspaceId === 'quiet');
    expect(before).toBeLessThanOrEqual(48);
    expect(consumer.taken.filter((hint) => hint.workspaceId === 'busy')).toEqual(busy);
  });

  test('the queue packs hints of many workspaces into shared jobs', async () => {
    const producer = harness.produce();
    const hints = makeHints(96).map((hint) => ({ ...hint, workspaceId: hint.messageId }));
    await producer.enqueue(hints);
    expect(await producer.countPending()).toBe(2);
    const consumer = harness.consume();
    await vi.waitFor(() => expect(idsOf(consumer.taken)).toEqual(idsOf(hints)), EVENTUALLY);
  });

  test('the queue adds no job for an empty list of hints', async () => {
    const producer = harness.produce();
    await producer.enqueue([]);
    expect(await producer.countPending()).toBe(0);
  });

  test('a consumer processes at most `concurrency` jobs at a time', async () => {
    const gate = createGate();
    let atOnce = 0;
    let most = 0;
    const consumer = harness.consume({
      concurrency: 3,
      async process() {
        atOnce += 1;
        most = Math.max(most, atOnce);
        await gate.opened;
        atOnce -= 1;
      },
    });
    const producer = harness.produce();
    await enqueueApart(producer, makeHints(12));
    await vi.waitFor(() => expect(atOnce).toBe(3), EVENTUALLY);
    expect(await producer.countPending()).toBe(12);
    gate.open();
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(12), EVENTUALLY);
    expect(most).toBe(3);
  });

  test('a consumer drops a hint whose processor fails, and reports the failure', async () => {
    const [bad, good] = makeHints(2);
    if (!bad || !good) throw new Error('makeHints(2) returned fewer hints');
    const consumer = harness.consume({
      async process([hint]) {
        if (hint?.messageId === bad.messageId) throw new Error('this hint fails');
      },
    });
    const producer = harness.produce();
    await enqueueApart(producer, [bad, good]);
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(2), EVENTUALLY);
    await vi.waitFor(async () => expect(await producer.countPending()).toBe(0), EVENTUALLY);
    expect(harness.errors.map((error) => error.message)).toEqual(['this hint fails']);
  });

  test('the queue delivers a second hint for a message whose first hint is in progress', async () => {
    const gate = createGate();
    const consumer = harness.consume({ process: () => gate.opened });
    const producer = harness.produce();
    const hints = makeHints(1);
    await producer.enqueue(hints);
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(1), EVENTUALLY);
    await producer.enqueue(hints);
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(2), EVENTUALLY);
    gate.open();
  });

  test('the queue delivers a hint to an idle consumer without waiting for the next poll', async () => {
    const producer = harness.produce();
    const consumer = harness.consume();
    await vi.waitFor(() => consumer.ping(), EVENTUALLY);
    const latencies: number[] = [];
    for (let round = 1; round <= 25; round += 1) {
      const began = performance.now();
      await producer.enqueue(makeHints(1));
      await vi.waitFor(() => expect(consumer.taken).toHaveLength(round), {
        ...EVENTUALLY,
        interval: 1,
      });
      latencies.push(performance.now() - began);
      await vi.waitFor(async () => expect(await producer.countPending()).toBe(0), EVENTUALLY);
    }
    // About 2 ms on an idle machine. Both backends poll at intervals of 2 seconds and more, and each
    // round begins right after the end of the one before.
    expect(latencies.toSorted((a, b) => a - b)[12]).toBeLessThan(1_500);
  });

  test('closing a consumer waits for hints in progress and leaves the others to another consumer', async () => {
    const gate = createGate();
    // A call that exceeds it loses a hint for a while.
    const timeoutMs = 2_000;
    let finished = 0;
    const first = harness.consume({
      concurrency: 2,
      timeoutMs,
      async process() {
        await gate.opened;
        finished += 1;
      },
    });
    const producer = harness.produce();
    const hints = makeHints(20);
    await enqueueApart(producer, hints);
    await vi.waitFor(() => expect(first.taken).toHaveLength(2), EVENTUALLY);

    const closed = first.close(CLOSE_MS);
    await delay(timeoutMs + 300); // Longer than every timeout except the one of close.
    gate.open();
    await closed;
    expect(finished).toBe(2);
    expect(first.taken).toHaveLength(2);
    expect(await producer.countPending()).toBe(18);

    const second = harness.consume();
    await vi.waitFor(() => expect(second.taken).toHaveLength(18), EVENTUALLY);
    expect(idsOf([...first.taken, ...second.taken])).toEqual(idsOf(hints));
  });

  test('the queue loses no hint that arrives while a consumer closes', async () => {
    const producer = harness.produce();
    const taken: string[] = [];
    const hints = makeHints(60);
    for (let from = 0; from < hints.length; from += 10) {
      const consumer = harness.consume();
      await vi.waitFor(() => consumer.ping(), EVENTUALLY);
      await Promise.all([producer.enqueue(hints.slice(from, from + 10)), consumer.close(CLOSE_MS)]);
      taken.push(...idsOf(consumer.taken));
    }
    const last = harness.consume();
    await vi.waitFor(
      () => expect([...taken, ...idsOf(last.taken)].toSorted()).toEqual(idsOf(hints)),
      EVENTUALLY,
    );
  });

  test('closing a consumer ends after its timeout although a processor never ends', async () => {
    const consumer = harness.consume({ process: () => new Promise(() => undefined) });
    await harness.produce().enqueue(makeHints(1));
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(1), EVENTUALLY);
    const began = performance.now();
    await consumer.close(200);
    const tookMs = performance.now() - began;
    expect(tookMs).toBeGreaterThan(190);
    expect(tookMs).toBeLessThan(IN_TIME_MS);
    await expect(consumer.ping()).rejects.toThrow(/not running/);
  });

  test('producer and consumer answer a ping, and the queue reports that no hint was lost', async () => {
    const producer = harness.produce();
    await producer.ping();
    const consumer = harness.consume();
    await vi.waitFor(() => consumer.ping(), EVENTUALLY);
    await producer.checkContinuity();
    expect(await producer.checkContinuity()).toBe('intact');
  });
});
