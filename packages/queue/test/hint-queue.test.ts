import { setTimeout as delay } from 'node:timers/promises';

import { EVENTUALLY, BACKENDS } from '@switchboard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import {
  createGate,
  createHarness,
  enqueueApart,
  idsOf,
  makeHints,
  TIMEOUT_MS,
} from './harness.ts';

describe.each(BACKENDS)('hints through $name', ({ open }) => {
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

  it.each([1, 48, 49, 250, 400])(
    'bring %i of one call to a processor, each once',
    async (count) => {
      const producer = harness.produce();
      const consumer = harness.consume();
      const hints = makeHints(count);
      await producer.enqueue(hints);
      await vi.waitFor(() => expect(consumer.taken).toHaveLength(count), 5_000);
      await vi.waitFor(async () => expect(await producer.countPending()).toBe(0), 5_000);
      expect(idsOf(consumer.taken)).toEqual(idsOf(hints));
      expect(consumer.taken.find((hint) => hint.messageId === hints[0]?.messageId)).toEqual(
        hints[0],
      );
      expect(harness.errors).toEqual([]);
    },
  );

  it('are taken in turns of their workspaces, not in the order they came', async () => {
    const producer = harness.produce();
    const busy = makeHints(40).map((hint) => ({ ...hint, workspaceId: 'busy' }));
    const quiet = makeHints(2).map((hint) => ({ ...hint, workspaceId: 'quiet' }));
    await enqueueApart(producer, busy);
    await enqueueApart(producer, quiet);
    const consumer = harness.consume({ concurrency: 1 });
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(42), 5_000);
    const order = consumer.taken.map((hint) => hint.workspaceId);
    expect(order.slice(0, 5).filter((workspaceId) => workspaceId === 'quiet')).toHaveLength(2);
    expect(consumer.taken.filter((hint) => hint.workspaceId === 'busy')).toEqual(busy);
    expect(harness.errors).toEqual([]);
  });

  it('of one call share jobs, and one that comes later waits for no more than a job of them', async () => {
    const producer = harness.produce();
    const busy = makeHints(480).map((hint) => ({ ...hint, workspaceId: 'busy' }));
    const [single] = makeHints(1).map((hint) => ({ ...hint, workspaceId: 'quiet' }));
    if (single === undefined) throw new Error('one was made');
    await producer.enqueue(busy);
    expect(await producer.countPending()).toBe(10);
    await producer.enqueue([single]);
    const consumer = harness.consume({ concurrency: 1 });
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(481), 5_000);
    const before = consumer.taken.findIndex((hint) => hint.workspaceId === 'quiet');
    expect(before).toBeLessThanOrEqual(48);
    expect(consumer.taken.filter((hint) => hint.workspaceId === 'busy')).toEqual(busy);
  });

  it('of many workspaces share jobs too', async () => {
    const producer = harness.produce();
    const hints = makeHints(96).map((hint) => ({ ...hint, workspaceId: hint.messageId }));
    await producer.enqueue(hints);
    expect(await producer.countPending()).toBe(2);
    const consumer = harness.consume();
    await vi.waitFor(() => expect(idsOf(consumer.taken)).toEqual(idsOf(hints)), 5_000);
  });

  it('are nothing when there are none', async () => {
    const producer = harness.produce();
    await producer.enqueue([]);
    expect(await producer.countPending()).toBe(0);
  });

  it('are processed as many at a time as was said, and no more', async () => {
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
    await vi.waitFor(() => expect(atOnce).toBe(3), 5_000);
    expect(await producer.countPending()).toBe(12);
    gate.open();
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(12), 5_000);
    expect(most).toBe(3);
  });

  it('are dropped when their processor fails, and the failure is reported', async () => {
    const [bad, good] = makeHints(2);
    if (!bad || !good) throw new Error('two were made');
    const consumer = harness.consume({
      async process([hint]) {
        if (hint?.messageId === bad.messageId) throw new Error('cannot do this one');
      },
    });
    const producer = harness.produce();
    await enqueueApart(producer, [bad, good]);
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(2), 5_000);
    await vi.waitFor(async () => expect(await producer.countPending()).toBe(0), 5_000);
    expect(harness.errors.map((error) => error.message)).toEqual(['cannot do this one']);
  });

  it('of a message that is being processed come again, not swallowed by the first', async () => {
    const gate = createGate();
    const consumer = harness.consume({ process: () => gate.opened });
    const producer = harness.produce();
    const hints = makeHints(1);
    await producer.enqueue(hints);
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(1), 5_000);
    await producer.enqueue(hints);
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(2), 5_000);
    gate.open();
  });

  it('reach an idle consumer in milliseconds', async () => {
    const producer = harness.produce();
    const consumer = harness.consume();
    await vi.waitFor(() => consumer.ping(), 5_000);
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
    // Some 2 ms on an idle machine. Anything that polls is far above.
    expect(latencies.toSorted((a, b) => a - b)[12]).toBeLessThan(50);
  });

  it('that are being processed are waited for by close, and the rest left for others', async () => {
    const gate = createGate();
    let finished = 0;
    const first = harness.consume({
      concurrency: 2,
      timeoutMs: TIMEOUT_MS,
      async process() {
        await gate.opened;
        finished += 1;
      },
    });
    const producer = harness.produce();
    const hints = makeHints(20);
    await enqueueApart(producer, hints);
    await vi.waitFor(() => expect(first.taken).toHaveLength(2), 5_000);

    const closed = first.close(5_000);
    await delay(TIMEOUT_MS + 300); // Longer than anything but the grace allows for.
    gate.open();
    await closed;
    expect(finished).toBe(2);
    expect(first.taken).toHaveLength(2);
    expect(await producer.countPending()).toBe(18);

    const second = harness.consume();
    await vi.waitFor(() => expect(second.taken).toHaveLength(18), 5_000);
    expect(idsOf([...first.taken, ...second.taken])).toEqual(idsOf(hints));
  });

  it('are not lost when they come while a consumer closes', async () => {
    const producer = harness.produce();
    const taken: string[] = [];
    const hints = makeHints(60);
    for (let from = 0; from < hints.length; from += 10) {
      const consumer = harness.consume();
      await vi.waitFor(() => consumer.ping(), 5_000);
      await Promise.all([producer.enqueue(hints.slice(from, from + 10)), consumer.close(5_000)]);
      taken.push(...idsOf(consumer.taken));
    }
    const last = harness.consume();
    await vi.waitFor(
      () => expect([...taken, ...idsOf(last.taken)].toSorted()).toEqual(idsOf(hints)),
      5_000,
    );
  });

  it('whose processor never ends do not keep close from ending', async () => {
    const consumer = harness.consume({ process: () => new Promise(() => undefined) });
    await harness.produce().enqueue(makeHints(1));
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(1), 5_000);
    const began = performance.now();
    await consumer.close(200);
    const tookMs = performance.now() - began;
    expect(tookMs).toBeGreaterThan(190);
    expect(tookMs).toBeLessThan(1_500);
    await expect(consumer.ping()).rejects.toThrow(/not running/);
  });

  it('can be checked for and counted: both ends answer a ping', async () => {
    const producer = harness.produce();
    await producer.ping();
    const consumer = harness.consume();
    await vi.waitFor(() => consumer.ping(), 5_000);
    await producer.checkContinuity();
    expect(await producer.checkContinuity()).toBe('intact');
  });
});
