import type { BusNotification } from '@switchboard/core';
import { createRedis } from '@switchboard/redis';
import pg from 'pg';
import { EVENTUALLY, BACKENDS } from '@switchboard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import type { EventBusOptions } from '../src/create-event-bus.ts';
import { createHarness, makeNotifications } from './harness.ts';

describe.each(BACKENDS)('the event bus over $name', ({ open }) => {
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

  async function openSubscribed(suffix?: string) {
    const bus = harness.open(suffix);
    await vi.waitFor(() => bus.ping(), EVENTUALLY);
    return bus;
  }

  test('notifications of every kind reach every process, including the sender', async () => {
    const buses = [await openSubscribed(), await openSubscribed(), await openSubscribed()];
    const notifications: BusNotification[] = [
      ...makeNotifications(2),
      { kind: 'session_ended', sessionId: 'session' },
      { kind: 'api_key_revoked', apiKeyId: 'key' },
      { kind: 'member_removed', workspaceId: 'workspace', userId: 'user' },
      {
        kind: 'typing',
        workspaceId: 'w',
        number: '+1',
        userId: 'u',
        userName: 'Ada',
        isTyping: true,
      },
    ];
    await buses[0]?.publish(notifications);
    for (const bus of buses)
      await vi.waitFor(() => expect(bus.received).toEqual(notifications), EVENTUALLY);
    expect(harness.errors).toEqual([]);
  });

  test('the sender receives its own notifications immediately and only once', async () => {
    const [sender, other] = [await openSubscribed(), await openSubscribed()];
    const [own, foreign] = [makeNotifications(2), makeNotifications(1)];
    const published = sender.publish(own);
    expect(sender.received).toEqual(own);
    await published;
    await vi.waitFor(() => expect(other.received).toEqual(own), EVENTUALLY);
    // The backend keeps the order, so the sender's own notifications have returned by then.
    await other.publish(foreign);
    await vi.waitFor(() => expect(sender.received).toEqual([...own, ...foreign]), EVENTUALLY);
  });

  test('notifications of publishLater reach every process, and the sender immediately', async () => {
    const [sender, other] = [await openSubscribed(), await openSubscribed()];
    const notifications = makeNotifications(500);
    for (const notification of notifications) sender.publishLater(notification);
    expect(sender.received).toEqual(notifications);
    await vi.waitFor(() => expect(other.received).toEqual(notifications), EVENTUALLY);
    expect(harness.errors).toEqual([]);
  });

  test('a call with many notifications keeps their order', async () => {
    const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
    const notifications = makeNotifications(3_000);
    await sender.publish(notifications);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(3_000), EVENTUALLY);
    expect(receiver.received).toEqual(notifications);
  });

  test('concurrent calls keep their order', async () => {
    const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
    const notifications = makeNotifications(500);
    await Promise.all(notifications.map((notification) => sender.publish([notification])));
    await vi.waitFor(() => expect(receiver.received).toHaveLength(500), EVENTUALLY);
    expect(receiver.received).toEqual(notifications);
  });

  test('publishing an empty list sends nothing', async () => {
    const bus = await openSubscribed();
    await bus.publish([]);
    const notifications = makeNotifications(1);
    await bus.publish(notifications);
    await vi.waitFor(() => expect(bus.received).toEqual(notifications), EVENTUALLY);
  });

  test('notifications are pushed, so the fastest of 25 arrives within 250 ms', async () => {
    const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
    const latencies: number[] = [];
    for (let round = 0; round < 25; round += 1) {
      const began = performance.now();
      const arrived = new Promise<void>((resolve) => receiver.subscribe(() => resolve()));
      await sender.publish(makeNotifications(1));
      await arrived;
      latencies.push(performance.now() - began);
    }
    // This takes half a millisecond on an idle machine. Each round begins right after the end of
    // the one before, so a receiver that polls would need its whole interval in every round.
    expect(Math.min(...latencies)).toBeLessThan(250);
  });

  test('a listener that unsubscribes is not called, and others are', async () => {
    const bus = await openSubscribed();
    const listener = vi.fn();
    const unsubscribe = bus.subscribe(listener);
    bus.subscribe(listener);
    unsubscribe();
    await bus.publish(makeNotifications(1));
    await vi.waitFor(() => expect(bus.received).toHaveLength(1), EVENTUALLY);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test('a listener that throws is reported and does not affect others', async () => {
    const bus = harness.open();
    bus.subscribe(() => {
      throw new Error('this listener fails');
    });
    const later = vi.fn();
    bus.subscribe(later);
    await vi.waitFor(() => bus.ping(), EVENTUALLY);
    await bus.publish(makeNotifications(2));
    await vi.waitFor(() => expect(later).toHaveBeenCalledTimes(2), EVENTUALLY);
    expect(harness.errors.map((error) => error.message)).toEqual([
      'this listener fails',
      'this listener fails',
    ]);
  });

  test('a bus does not receive notifications of other channels', async () => {
    const here = [await openSubscribed(' here'), await openSubscribed(' here')] as const;
    const there = [await openSubscribed(' "There"'), await openSubscribed(' "There"')] as const;
    const [toHere, toThere] = [makeNotifications(1), makeNotifications(1)];
    await here[0].publish(toHere);
    await there[0].publish(toThere);
    await vi.waitFor(() => expect(here[1].received).toEqual(toHere), EVENTUALLY);
    await vi.waitFor(() => expect(there[1].received).toEqual(toThere), EVENTUALLY);
  });

  test('an invalid payload is reported, and the bus continues', async () => {
    const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
    await publishForeign(backend.options, harness.channelOf(''), 'not a notification');
    await vi.waitFor(() => expect(harness.errors).toHaveLength(2), EVENTUALLY);
    const notifications = makeNotifications(1);
    await sender.publish(notifications);
    await vi.waitFor(() => expect(receiver.received).toEqual(notifications), EVENTUALLY);
  });

  test('closing the bus sends the pending notifications of publishLater', async () => {
    const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
    const notifications = makeNotifications(100);
    for (const notification of notifications) sender.publishLater(notification);
    await sender.close();
    await vi.waitFor(() => expect(receiver.received).toEqual(notifications), EVENTUALLY);
  });

  test('the bus reports its first subscription once, and pings reject after close', async () => {
    const bus = await openSubscribed();
    expect(bus.gaps).toBe(1);
    await bus.close();
    await expect(bus.ping()).rejects.toThrow();
    await expect(bus.publish(makeNotifications(1))).rejects.toThrow();
  });
});

async function publishForeign(
  { redisUrl, databaseUrl }: Pick<EventBusOptions, 'redisUrl' | 'databaseUrl'>,
  channel: string,
  payload: string,
): Promise<void> {
  if (redisUrl !== null) {
    const redis = createRedis({ url: redisUrl, timeoutMs: 10_000 });
    await redis.publish(channel, payload);
    await redis.quit();
    return;
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('SELECT pg_notify($1, $2)', [channel, payload]);
  await client.end();
}
