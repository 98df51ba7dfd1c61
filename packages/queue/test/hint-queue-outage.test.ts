import { setTimeout as delay } from 'node:timers/promises';

import { EVENTUALLY, OWN_SERVERS, type OwnServer, rejectionOf } from '@switchboard/testing';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';

import { createHarness, IN_TIME_MS, makeHints, TIMEOUT_MS } from './harness.ts';

describe.each(OWN_SERVERS)('the hint queue during an outage of $name', ({ open }) => {
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

  /** Opens a producer and a consumer, and waits until they have exchanged hints. */
  async function openBoth() {
    const producer = harness.produce();
    const consumer = harness.consume();
    await expectToWork(producer, consumer);
    return { producer, consumer };
  }

  /** An outage may lose hints that were in flight. Hints that are added afterwards must arrive. */
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
      { timeout: 60_000, interval: 50 },
    );
  }

  async function expectRejectionInTime(work: Promise<unknown>): Promise<void> {
    const { error, afterMs } = await rejectionOf(work);
    expect(error).toBeInstanceOf(Error);
    expect(afterMs).toBeLessThan(IN_TIME_MS);
  }

  test.each(['stop', 'kill'] as const)(
    'during an outage of the server (%s), calls reject in time, and hints flow again when the server is back',
    async (how) => {
      const { producer, consumer } = await openBoth();
      await backend.server[how]();
      await expectRejectionInTime(producer.enqueue(makeHints(1)));
      await expectRejectionInTime(producer.enqueue(makeHints(100)));
      await expectRejectionInTime(producer.countPending());
      await expectRejectionInTime(producer.ping());
      await expectRejectionInTime(consumer.ping());
      await expect.poll(() => harness.errors.length, EVENTUALLY).toBeGreaterThan(0);
      await backend.server.start();
      await expectToWork(producer, consumer);
    },
  );

  test('producer and consumer survive a restart of the server under load', async () => {
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

  test('while the server hangs, calls are rejected before their timeout, and hints flow again afterwards', async () => {
    const { producer, consumer } = await openBoth();
    await backend.server.pause();
    try {
      await expectRejectionInTime(producer.enqueue(makeHints(1)));
      await expectRejectionInTime(producer.enqueue(makeHints(100)));
      await expectRejectionInTime(producer.ping());
      await expectRejectionInTime(consumer.ping());
      // Long enough for the blocked connection to time out as well.
      await expect.poll(() => harness.errors.length, EVENTUALLY).toBeGreaterThan(0);
    } finally {
      backend.server.resume();
    }
    await expectToWork(producer, consumer);
  });

  test('a consumer closes before its timeout while the server hangs', async () => {
    const { consumer } = await openBoth();
    await backend.server.pause();
    try {
      const began = performance.now();
      await consumer.close(100);
      expect(performance.now() - began).toBeLessThan(IN_TIME_MS);
    } finally {
      backend.server.resume();
    }
  });

  test('a producer and a consumer that are created while the server is down start when it comes up', async () => {
    await backend.server.stop();
    const producer = harness.produce();
    const consumer = harness.consume();
    await expectRejectionInTime(producer.enqueue(makeHints(1)));
    await expectRejectionInTime(consumer.ping());
    // Long enough for more than one attempt.
    await expect.poll(() => harness.errors.length, EVENTUALLY).toBeGreaterThan(2);
    await backend.server.start();
    await expectToWork(producer, consumer);
  });

  test('a producer and a consumer that are created while the server hangs start when it answers', async () => {
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

  test('a hint that was refused during an outage is not delivered later', async () => {
    const producer = harness.produce();
    // The first hints of a producer wait until it has read the queue, which an outage prevents.
    await vi.waitFor(() => producer.enqueue(makeHints(1)), EVENTUALLY);
    await backend.server.stop();
    const hints = makeHints(500);
    const refused = await Promise.allSettled(hints.map((hint) => producer.enqueue([hint])));
    expect(new Set(refused.map((result) => result.status))).toEqual(new Set(['rejected']));
    await backend.server.start();
    await vi.waitFor(() => producer.ping(), EVENTUALLY);
    const [marker] = makeHints(1);
    if (!marker) throw new Error('makeHints(1) returned no hint');
    // Its calls have time even on a busy machine, so it takes every hint in the queue.
    const other = createHarness(backend.options);
    onTestFinished(() => other.close());
    const consumer = other.consume();
    await other.produce().enqueue([marker]);
    await vi.waitFor(() => expect(consumer.taken).toContainEqual(marker), EVENTUALLY);
    // Earlier tests may have left other hints in the queue.
    const refusedIds = new Set(hints.map(({ messageId }) => messageId));
    expect(consumer.taken.filter(({ messageId }) => refusedIds.has(messageId))).toEqual([]);
  });
});
