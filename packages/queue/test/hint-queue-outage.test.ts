import { setTimeout as delay } from 'node:timers/promises';

import { OWN_SERVERS, type OwnServer, rejectionOf } from '@switchboard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { createHarness, makeHints, TIMEOUT_MS } from './harness.ts';

describe.each(OWN_SERVERS)('when $name fails', ({ open }) => {
  let backend: OwnServer;
  let harness: ReturnType<typeof createHarness>;

  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.server.close());
  beforeEach(() => {
    harness = createHarness(backend.options, TIMEOUT_MS);
  });
  afterEach(() => harness.close());

  /** A producer and a consumer that have worked together. */
  async function openBoth() {
    const producer = harness.produce();
    const consumer = harness.consume();
    await expectToWork(producer, consumer);
    return { producer, consumer };
  }

  /** A hint that was on its way in an outage may be lost, as any may. Those after it must flow. */
  async function expectToWork(
    producer: ReturnType<typeof harness.produce>,
    consumer: ReturnType<typeof harness.consume>,
  ): Promise<void> {
    await vi.waitFor(
      async () => {
        const hints = makeHints(3);
        await producer.enqueue(hints);
        await vi.waitFor(() => expect(consumer.taken).toEqual(expect.arrayContaining(hints)), {
          timeout: 1_000,
          interval: 10,
        });
        await consumer.ping();
      },
      { timeout: 10_000, interval: 50 },
    );
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
      await backend.server[how]();
      await expectRejectionInTime(producer.enqueue(makeHints(1)));
      await expectRejectionInTime(producer.enqueue(makeHints(100)));
      await expectRejectionInTime(producer.countPending());
      await expectRejectionInTime(producer.ping());
      await expectRejectionInTime(consumer.ping());
      await expect.poll(() => harness.errors.length, { timeout: 3_000 }).toBeGreaterThan(0);
      await backend.server.start();
      await expectToWork(producer, consumer);
    },
  );

  it('a restart in the middle of work ends nothing', async () => {
    const { producer, consumer } = await openBoth();
    let isOver = false;
    const restarted = backend.server
      .kill()
      .then(() => backend.server.start())
      .finally(() => {
        isOver = true;
      });
    let refused = 0;
    while (!isOver) {
      await producer.enqueue(makeHints(2)).catch(() => {
        refused += 1;
      });
      await delay(10);
    }
    await restarted;
    expect(refused).toBeGreaterThan(0);
    await expectToWork(producer, consumer);
  });

  it('calls are rejected in time while it hangs, and all goes on by itself after it', async () => {
    const { producer, consumer } = await openBoth();
    await backend.server.pause();
    try {
      await expectRejectionInTime(producer.enqueue(makeHints(1)));
      await expectRejectionInTime(producer.enqueue(makeHints(100)));
      await expectRejectionInTime(producer.ping());
      await expectRejectionInTime(consumer.ping());
      // Long enough for the blocked connection to be given up as well.
      await expect.poll(() => harness.errors.length, { timeout: 8_000 }).toBeGreaterThan(0);
    } finally {
      backend.server.resume();
    }
    await expectToWork(producer, consumer);
  });

  it('a consumer closes in time while it hangs', async () => {
    const { consumer } = await openBoth();
    await backend.server.pause();
    try {
      const began = performance.now();
      await consumer.close(100);
      expect(performance.now() - began).toBeLessThan(100 + 3 * TIMEOUT_MS);
    } finally {
      backend.server.resume();
    }
  });

  it('both ends opened while it is away start when it appears', async () => {
    await backend.server.stop();
    const producer = harness.produce();
    const consumer = harness.consume();
    await expectRejectionInTime(producer.enqueue(makeHints(1)));
    await expectRejectionInTime(consumer.ping());
    // Long enough for more than one attempt.
    await expect.poll(() => harness.errors.length, { timeout: 5_000 }).toBeGreaterThan(2);
    await backend.server.start();
    await expectToWork(producer, consumer);
  });

  it('both ends opened while it hangs start when it answers', async () => {
    await backend.server.pause();
    let producer: ReturnType<typeof harness.produce>;
    let consumer: ReturnType<typeof harness.consume>;
    try {
      producer = harness.produce();
      consumer = harness.consume();
      await expectRejectionInTime(producer.enqueue(makeHints(1)));
      await expectRejectionInTime(consumer.ping());
    } finally {
      backend.server.resume();
    }
    await expectToWork(producer, consumer);
    await expect(consumer.ping()).resolves.toBeUndefined();
  });

  it('what was refused is not kept: nothing is delivered late', async () => {
    const producer = harness.produce();
    await producer.ping();
    await backend.server.stop();
    const refused = await Promise.allSettled(
      Array.from({ length: 500 }, () => producer.enqueue(makeHints(1))),
    );
    expect(new Set(refused.map((result) => result.status))).toEqual(new Set(['rejected']));
    await backend.server.start();
    await vi.waitFor(() => producer.ping(), { timeout: 8_000, interval: 50 });
    const consumer = harness.consume();
    const [marker] = makeHints(1);
    if (!marker) throw new Error('one was made');
    await producer.enqueue([marker]);
    await vi.waitFor(() => expect(consumer.taken).toContainEqual(marker), 5_000);
    expect(consumer.taken).toEqual([marker]);
  });
});
