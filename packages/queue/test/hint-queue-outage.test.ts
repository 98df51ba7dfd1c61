import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { type Backend, BACKENDS } from './backends.ts';
import { createHarness, idsOf, makeHints, rejectionOf, TIMEOUT_MS } from './harness.ts';

describe.each(BACKENDS)('when $name fails', ({ open }) => {
  let backend: Backend;
  let harness: ReturnType<typeof createHarness>;

  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.close());
  beforeEach(() => {
    harness = createHarness(backend.options);
  });
  afterEach(() => harness.close());

  /** A producer and a consumer that have worked together. */
  async function openBoth() {
    const producer = harness.produce();
    const consumer = harness.consume();
    await expectToWork(producer, consumer);
    return { producer, consumer };
  }

  async function expectToWork(
    producer: ReturnType<typeof harness.produce>,
    consumer: ReturnType<typeof harness.consume>,
  ): Promise<void> {
    const hints = makeHints(3);
    await vi.waitFor(() => producer.enqueue(hints), { timeout: 8_000, interval: 100 });
    await vi.waitFor(
      () => expect(idsOf(consumer.taken)).toEqual(expect.arrayContaining(idsOf(hints))),
      { timeout: 8_000, interval: 20 },
    );
    await vi.waitFor(() => consumer.ping(), { timeout: 8_000, interval: 100 });
  }

  async function expectRejectionInTime(work: Promise<unknown>): Promise<void> {
    const { error, afterMs } = await rejectionOf(work);
    expect(error).toBeInstanceOf(Error);
    expect(afterMs).toBeLessThan(TIMEOUT_MS + 400);
  }

  it.each(['stop', 'kill'] as const)(
    'calls are rejected in time after a %s, and all goes on by itself after the start',
    async (how) => {
      const { producer, consumer } = await openBoth();
      await backend[how]();
      await expectRejectionInTime(producer.enqueue(makeHints(1)));
      await expectRejectionInTime(producer.enqueue(makeHints(100)));
      await expectRejectionInTime(producer.countPending());
      await expectRejectionInTime(producer.ping());
      await expectRejectionInTime(consumer.ping());
      await expect.poll(() => harness.errors.length, { timeout: 3_000 }).toBeGreaterThan(0);
      await backend.start();
      await expectToWork(producer, consumer);
    },
  );

  it('a restart in the middle of work ends nothing', async () => {
    const { producer, consumer } = await openBoth();
    const until = performance.now() + 1_500;
    const restarted = backend.kill().then(() => backend.start());
    let refused = 0;
    while (performance.now() < until) {
      await producer.enqueue(makeHints(2)).catch(() => {
        refused += 1;
      });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await restarted;
    expect(refused).toBeGreaterThan(0);
    await expectToWork(producer, consumer);
  });

  it('calls are rejected in time while it hangs, and all goes on by itself after it', async () => {
    const { producer, consumer } = await openBoth();
    await backend.hang();
    try {
      await expectRejectionInTime(producer.enqueue(makeHints(1)));
      await expectRejectionInTime(producer.enqueue(makeHints(100)));
      await expectRejectionInTime(producer.ping());
      await expectRejectionInTime(consumer.ping());
      // Long enough for the blocked connection to be given up as well.
      await expect.poll(() => harness.errors.length, { timeout: 8_000 }).toBeGreaterThan(0);
    } finally {
      await backend.resume();
    }
    await expectToWork(producer, consumer);
  });

  it('a consumer closes in time while it hangs', async () => {
    const { consumer } = await openBoth();
    await backend.hang();
    try {
      const began = performance.now();
      await consumer.close(100);
      expect(performance.now() - began).toBeLessThan(100 + 3 * TIMEOUT_MS);
    } finally {
      await backend.resume();
    }
  });

  it('both ends opened while it is away start when it appears', async () => {
    await backend.stop();
    const producer = harness.produce();
    const consumer = harness.consume();
    await expectRejectionInTime(producer.enqueue(makeHints(1)));
    await expectRejectionInTime(consumer.ping());
    // Long enough for more than one attempt.
    await expect.poll(() => harness.errors.length, { timeout: 5_000 }).toBeGreaterThan(2);
    await backend.start();
    await expectToWork(producer, consumer);
  });

  it('both ends opened while it hangs start when it answers', async () => {
    await backend.hang();
    let producer: ReturnType<typeof harness.produce>;
    let consumer: ReturnType<typeof harness.consume>;
    try {
      producer = harness.produce();
      consumer = harness.consume();
      await expectRejectionInTime(producer.enqueue(makeHints(1)));
      await expectRejectionInTime(consumer.ping());
    } finally {
      await backend.resume();
    }
    await expectToWork(producer, consumer);
  });

  it('what was refused is not kept: nothing is delivered late', async () => {
    const producer = harness.produce();
    await producer.ping();
    await backend.stop();
    const refused = await Promise.allSettled(
      Array.from({ length: 500 }, () => producer.enqueue(makeHints(1))),
    );
    expect(new Set(refused.map((result) => result.status))).toEqual(new Set(['rejected']));
    await backend.start();
    await vi.waitFor(() => producer.ping(), { timeout: 8_000, interval: 50 });
    const consumer = harness.consume();
    const [marker] = makeHints(1);
    if (!marker) throw new Error('one was made');
    await producer.enqueue([marker]);
    await vi.waitFor(() => expect(consumer.taken).toContainEqual(marker), 5_000);
    expect(consumer.taken).toEqual([marker]);
  });
});
