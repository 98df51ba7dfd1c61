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

import { createHarness, IN_TIME_MS, makeNotifications, TIMEOUT_MS } from './harness.ts';

describe.each(OWN_SERVERS)('the event bus over $name', ({ open }) => {
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

  async function openSubscribed(of = harness): Promise<Bus> {
    const bus = of.open();
    await vi.waitFor(() => bus.ping(), EVENTUALLY);
    return bus;
  }

  /** The calls of its buses have time even on a busy machine, so none of them exceeds its timeout. */
  function openPatient(): typeof harness {
    const patient = createHarness(backend.options);
    onTestFinished(() => patient.close());
    return patient;
  }

  /** Opens two buses that repeat no call. */
  async function openPatiently(): Promise<[Bus, Bus]> {
    const patient = openPatient();
    return [await openSubscribed(patient), await openSubscribed(patient)];
  }

  /** A bus that reconnects may miss notifications. Those that are published afterwards must arrive. */
  async function expectToWork(sender: Bus, receiver: Bus): Promise<void> {
    await vi.waitFor(
      async () => {
        await receiver.ping();
        const notifications = makeNotifications(3);
        await sender.publish(notifications);
        await vi.waitFor(
          () => expect(receiver.received).toEqual(expect.arrayContaining(notifications)),
          { timeout: 1_000, interval: 10 },
        );
      },
      { timeout: 60_000, interval: 20 },
    );
  }

  async function expectRejectionInTime(work: Promise<unknown>): Promise<void> {
    const { error, afterMs } = await rejectionOf(work);
    expect(error).toBeInstanceOf(Error);
    expect(afterMs).toBeLessThan(IN_TIME_MS);
  }

  test.each(['stop', 'kill'] as const)(
    'during an outage of the server (%s), calls reject in time, and afterwards the bus reconnects and reports a gap',
    async (how) => {
      const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
      await expectToWork(sender, receiver);
      await backend.server[how]();
      await vi.waitFor(() => expect(receiver.ping()).rejects.toThrow(), EVENTUALLY);
      await expectRejectionInTime(sender.publish(makeNotifications(1)));
      await expect.poll(() => harness.errors.length, EVENTUALLY).toBeGreaterThan(0);
      const { gaps } = receiver;
      await backend.server.start();
      await expectToWork(sender, receiver);
      expect(receiver.gaps).toBeGreaterThan(gaps);
    },
  );

  test('during an outage, listeners of the same bus still receive notifications, and background failures are reported', async () => {
    const patient = openPatient();
    const sender = await openSubscribed(patient);
    await backend.server.kill();
    try {
      const notifications = makeNotifications(3);
      const [first, second, later] = notifications.map((notification) => [notification] as const);
      // After the first failure the connection is closed, and all later errors are equal.
      await vi.waitFor(() => expect(sender.ping()).rejects.toThrow(), EVENTUALLY);
      await rejectionOf(sender.publish(first ?? []));
      const { error } = await rejectionOf(sender.publish(second ?? []));
      const sameAs = ({ message }: Error) => message === (error as Error).message;
      const before = patient.errors.filter(sameAs).length;
      for (const notification of later ?? []) sender.publishLater(notification);
      expect(sender.received).toEqual(notifications);
      await expect
        .poll(() => patient.errors.filter(sameAs).length, EVENTUALLY)
        .toBeGreaterThan(before);
    } finally {
      await backend.server.start();
    }
  });

  test('no notification that is published after the report of a gap is missed', async () => {
    const [sender, receiver] = await openPatiently();
    await backend.server.kill();
    const notifications = makeNotifications(1);
    // Registered before the restart, because the bus may reconnect before `start` returns.
    const published = new Promise<void>((resolve) => {
      receiver.onGap(() => {
        void vi.waitFor(() => sender.publish(notifications), EVENTUALLY).then(resolve);
      });
    });
    await backend.server.start();
    await published;
    await vi.waitFor(() => expect(receiver.received).toEqual(notifications), EVENTUALLY);
  });

  test('the bus closes a connection that hangs, reconnects and reports a gap', async () => {
    const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
    await backend.server.pause();
    try {
      // No calls are made, so that only the heartbeat can detect the hang.
      await expect.poll(() => harness.errors.length, EVENTUALLY).toBeGreaterThan(0);
      await expect(receiver.ping()).rejects.toThrow();
    } finally {
      backend.server.resume();
    }
    await expectToWork(sender, receiver);
    expect(receiver.gaps).toBeGreaterThan(1);
  });

  test('calls reject in time while the server hangs', async () => {
    const [bus, other] = [await openSubscribed(), await openSubscribed()];
    await backend.server.pause();
    try {
      await expectRejectionInTime(bus.ping());
      await expectRejectionInTime(bus.publish(makeNotifications(1)));
      await expectRejectionInTime(bus.publish(makeNotifications(1)));
    } finally {
      backend.server.resume();
    }
    await expectToWork(other, bus);
    expect(bus.gaps).toBeGreaterThan(0);
  });

  test('the bus closes in time while the server hangs', async () => {
    const bus = await openSubscribed();
    await backend.server.pause();
    try {
      const began = performance.now();
      await bus.close();
      expect(performance.now() - began).toBeLessThan(IN_TIME_MS);
    } finally {
      backend.server.resume();
    }
  });

  test('a bus that is created without a server connects when the server starts', async () => {
    await backend.server.stop();
    const [sender, receiver] = [harness.open(), harness.open()];
    await expectRejectionInTime(sender.publish(makeNotifications(1)));
    await expectRejectionInTime(receiver.ping());
    await expect.poll(() => harness.errors.length, EVENTUALLY).toBeGreaterThan(3);
    await backend.server.start();
    await expectToWork(sender, receiver);
    expect(receiver.gaps).toBeGreaterThan(0);
  });

  test('a rejected notification is not delivered later', async () => {
    const sender = await openSubscribed();
    const [other, receiver] = await openPatiently();
    await backend.server.stop();
    const refused = await Promise.allSettled(
      makeNotifications(500).map((each) => sender.publish([each])),
    );
    expect(new Set(refused.map((result) => result.status))).toEqual(new Set(['rejected']));
    await backend.server.start();
    for (const bus of [receiver, sender, other]) {
      await vi.waitFor(() => bus.ping(), EVENTUALLY);
    }
    const notifications = makeNotifications(1);
    await vi.waitFor(() => other.publish(notifications), EVENTUALLY);
    await vi.waitFor(
      () => expect(receiver.received).toEqual(expect.arrayContaining(notifications)),
      EVENTUALLY,
    );
    expect(receiver.received).toEqual(notifications);
  });
});
