import { OWN_SERVERS, type OwnServer, rejectionOf } from '@switchboard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { createHarness, makeNotices, TIMEOUT_MS } from './harness.ts';

describe.each(OWN_SERVERS)('the bus when $name fails', ({ open }) => {
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

  type Bus = ReturnType<typeof harness.open>;

  async function openSubscribed(): Promise<Bus> {
    const bus = harness.open();
    await vi.waitFor(() => bus.ping(), 5_000);
    return bus;
  }

  async function expectToWork(sender: Bus, receiver: Bus): Promise<void> {
    await vi.waitFor(() => receiver.ping(), { timeout: 8_000, interval: 20 });
    const notices = makeNotices(3);
    await vi.waitFor(() => sender.publish(notices), { timeout: 8_000, interval: 20 });
    await vi.waitFor(
      () => expect(receiver.received).toEqual(expect.arrayContaining(notices)),
      5_000,
    );
  }

  async function expectRejectionInTime(work: Promise<unknown>): Promise<void> {
    const { error, afterMs } = await rejectionOf(work);
    expect(error).toBeInstanceOf(Error);
    expect(afterMs).toBeLessThan(TIMEOUT_MS + 400);
  }

  it.each(['stop', 'kill'] as const)(
    'rejects in time after a %s; then comes back by itself and says that there was a gap',
    async (how) => {
      const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
      await expectToWork(sender, receiver);
      await backend.server[how]();
      await vi.waitFor(() => expect(receiver.ping()).rejects.toThrow(), 3_000);
      await expectRejectionInTime(sender.publish(makeNotices(1)));
      await expect.poll(() => harness.errors.length, { timeout: 3_000 }).toBeGreaterThan(0);
      const { gaps } = receiver;
      await backend.server.start();
      await expectToWork(sender, receiver);
      expect(receiver.gaps).toBeGreaterThan(gaps);
    },
  );

  it('tells the sender itself all the same, and reports what nobody waited for', async () => {
    const sender = await openSubscribed();
    await backend.server.kill();
    try {
      const notices = makeNotices(3);
      const [first, second, later] = notices.map((notice) => [notice] as const);
      // The connection's end is known after the first; from then on one failure is like another.
      await vi.waitFor(() => expect(sender.ping()).rejects.toThrow(), 3_000);
      await rejectionOf(sender.publish(first ?? []));
      const { error } = await rejectionOf(sender.publish(second ?? []));
      const sameAs = ({ message }: Error) => message === (error as Error).message;
      const before = harness.errors.filter(sameAs).length;
      for (const notice of later ?? []) sender.publishLater(notice);
      expect(sender.received).toEqual(notices);
      await expect
        .poll(() => harness.errors.filter(sameAs).length, { timeout: 3_000 })
        .toBeGreaterThan(before);
    } finally {
      await backend.server.start();
    }
  });

  it('misses nothing that is published after it has said that there was a gap', async () => {
    const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
    await backend.server.kill();
    const notices = makeNotices(1);
    // Listened for before the server is back: the bus may be back before `start` has returned.
    const published = new Promise<void>((resolve) => {
      receiver.onGap(() => {
        void vi.waitFor(() => sender.publish(notices), { timeout: 8_000 }).then(resolve);
      });
    });
    await backend.server.start();
    await published;
    await vi.waitFor(() => expect(receiver.received).toEqual(notices), 2_000);
  });

  it('gives up a connection that hangs, while it hangs, and comes back with a gap', async () => {
    const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
    await backend.server.pause();
    try {
      // Nobody asks it anything meanwhile.
      await expect.poll(() => harness.errors.length, { timeout: 6_000 }).toBeGreaterThan(0);
      await expect(receiver.ping()).rejects.toThrow();
    } finally {
      backend.server.resume();
    }
    await expectToWork(sender, receiver);
    expect(receiver.gaps).toBeGreaterThan(1);
  });

  it('rejects in time while it hangs', async () => {
    const [bus, other] = [await openSubscribed(), await openSubscribed()];
    await backend.server.pause();
    try {
      await expectRejectionInTime(bus.ping());
      await expectRejectionInTime(bus.publish(makeNotices(1)));
      await expectRejectionInTime(bus.publish(makeNotices(1)));
    } finally {
      backend.server.resume();
    }
    await expectToWork(other, bus);
    expect(bus.gaps).toBeGreaterThan(0);
  });

  it('closes in time while it hangs', async () => {
    const bus = await openSubscribed();
    await backend.server.pause();
    try {
      const began = performance.now();
      await bus.close();
      expect(performance.now() - began).toBeLessThan(2 * TIMEOUT_MS);
    } finally {
      backend.server.resume();
    }
  });

  it('starts by itself when it was opened while there was no server', async () => {
    await backend.server.stop();
    const [sender, receiver] = [harness.open(), harness.open()];
    await expectRejectionInTime(sender.publish(makeNotices(1)));
    await expectRejectionInTime(receiver.ping());
    await expect.poll(() => harness.errors.length, { timeout: 5_000 }).toBeGreaterThan(3);
    await backend.server.start();
    await expectToWork(sender, receiver);
    expect(receiver.gaps).toBeGreaterThan(0);
  });

  it('delivers nothing late that it has refused', async () => {
    const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
    await backend.server.stop();
    const refused = await Promise.allSettled(
      makeNotices(500).map((each) => sender.publish([each])),
    );
    expect(new Set(refused.map((result) => result.status))).toEqual(new Set(['rejected']));
    await backend.server.start();
    await vi.waitFor(() => receiver.ping(), { timeout: 8_000 });
    const notices = makeNotices(1);
    await vi.waitFor(() => sender.publish(notices), { timeout: 8_000 });
    await vi.waitFor(() => expect(receiver.received).toEqual(notices), 2_000);
  });
});
