import type { BusNotice } from '@switchboard/core';
import { createRedis } from '@switchboard/redis';
import pg from 'pg';
import { BACKENDS } from '@switchboard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import type { EventBusOptions } from '../src/create-event-bus.ts';
import { createHarness, makeNotices } from './harness.ts';

describe.each(BACKENDS)('the bus over $name', ({ open }) => {
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
    await vi.waitFor(() => bus.ping(), 5_000);
    return bus;
  }

  it('brings notices of every kind to every process, the sender included', async () => {
    const buses = [await openSubscribed(), await openSubscribed(), await openSubscribed()];
    const notices: BusNotice[] = [
      ...makeNotices(2),
      { kind: 'session_ended', sessionId: 'session' },
      { kind: 'api_key_revoked', apiKeyId: 'key' },
      { kind: 'member_removed', workspaceId: 'workspace', userId: 'user' },
    ];
    await buses[0]?.publish(notices);
    for (const bus of buses) await vi.waitFor(() => expect(bus.received).toEqual(notices), 5_000);
    expect(harness.errors).toEqual([]);
  });

  it('tells the sender itself at once, and not again when the backend brings it back', async () => {
    const [sender, other] = [await openSubscribed(), await openSubscribed()];
    const [own, foreign] = [makeNotices(2), makeNotices(1)];
    const published = sender.publish(own);
    expect(sender.received).toEqual(own);
    await published;
    await vi.waitFor(() => expect(other.received).toEqual(own), 5_000);
    // What comes by way of the backend comes in order: the own ones have been back by then.
    await other.publish(foreign);
    await vi.waitFor(() => expect(sender.received).toEqual([...own, ...foreign]), 5_000);
  });

  it('brings notices for which nobody waits to every process, to the sender at once', async () => {
    const [sender, other] = [await openSubscribed(), await openSubscribed()];
    const notices = makeNotices(500);
    for (const notice of notices) sender.publishLater(notice);
    expect(sender.received).toEqual(notices);
    await vi.waitFor(() => expect(other.received).toEqual(notices), 5_000);
    expect(harness.errors).toEqual([]);
  });

  it('keeps the order of one call, however many notices it has', async () => {
    const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
    const notices = makeNotices(3_000);
    await sender.publish(notices);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(3_000), 5_000);
    expect(receiver.received).toEqual(notices);
  });

  it('keeps the order of calls made without waiting for one another', async () => {
    const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
    const notices = makeNotices(500);
    await Promise.all(notices.map((notice) => sender.publish([notice])));
    await vi.waitFor(() => expect(receiver.received).toHaveLength(500), 5_000);
    expect(receiver.received).toEqual(notices);
  });

  it('sends nothing when there is nothing to send', async () => {
    const bus = await openSubscribed();
    await bus.publish([]);
    const notices = makeNotices(1);
    await bus.publish(notices);
    await vi.waitFor(() => expect(bus.received).toEqual(notices), 5_000);
  });

  it('is fast enough to wake a request that waits', async () => {
    const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
    const latencies: number[] = [];
    for (let round = 0; round < 25; round += 1) {
      const began = performance.now();
      const arrived = new Promise<void>((resolve) => receiver.subscribe(() => resolve()));
      await sender.publish(makeNotices(1));
      await arrived;
      latencies.push(performance.now() - began);
    }
    // Half a millisecond on an idle machine. Anything that polls is far above.
    expect(latencies.toSorted((a, b) => a - b)[12]).toBeLessThan(25);
  });

  it('stops calling a listener that has left, and only that one', async () => {
    const bus = await openSubscribed();
    const listener = vi.fn();
    const leave = bus.subscribe(listener);
    bus.subscribe(listener);
    leave();
    await bus.publish(makeNotices(1));
    await vi.waitFor(() => expect(bus.received).toHaveLength(1), 5_000);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('keeps one listener’s failure from the others, and reports it', async () => {
    const bus = harness.open();
    bus.subscribe(() => {
      throw new Error('this listener fails');
    });
    const later = vi.fn();
    bus.subscribe(later);
    await vi.waitFor(() => bus.ping(), 5_000);
    await bus.publish(makeNotices(2));
    await vi.waitFor(() => expect(later).toHaveBeenCalledTimes(2), 5_000);
    expect(harness.errors.map((error) => error.message)).toEqual([
      'this listener fails',
      'this listener fails',
    ]);
  });

  it('does not hear other channels', async () => {
    const here = [await openSubscribed(' here'), await openSubscribed(' here')] as const;
    const there = [await openSubscribed(' "There"'), await openSubscribed(' "There"')] as const;
    const [toHere, toThere] = [makeNotices(1), makeNotices(1)];
    await here[0].publish(toHere);
    await there[0].publish(toThere);
    await vi.waitFor(() => expect(here[1].received).toEqual(toHere), 5_000);
    await vi.waitFor(() => expect(there[1].received).toEqual(toThere), 5_000);
  });

  it('reports what is no notice, and goes on', async () => {
    const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
    await publishForeign(backend.options, harness.channelOf(''), 'no notice at all');
    await vi.waitFor(() => expect(harness.errors).toHaveLength(2), 5_000);
    const notices = makeNotices(1);
    await sender.publish(notices);
    await vi.waitFor(() => expect(receiver.received).toEqual(notices), 5_000);
  });

  it('sends before its end what nobody waits for', async () => {
    const [sender, receiver] = [await openSubscribed(), await openSubscribed()];
    const notices = makeNotices(100);
    for (const notice of notices) sender.publishLater(notice);
    await sender.close();
    await vi.waitFor(() => expect(receiver.received).toEqual(notices), 5_000);
  });

  it('says that its subscription stands, once, and answers no ping after its end', async () => {
    const bus = await openSubscribed();
    expect(bus.gaps).toBe(1);
    await bus.close();
    await expect(bus.ping()).rejects.toThrow();
    await expect(bus.publish(makeNotices(1))).rejects.toThrow();
  });
});

async function publishForeign(
  { redisUrl, databaseUrl }: Pick<EventBusOptions, 'redisUrl' | 'databaseUrl'>,
  channel: string,
  payload: string,
): Promise<void> {
  if (redisUrl !== null) {
    const redis = createRedis({ url: redisUrl, timeoutMs: 1_000 });
    await redis.publish(channel, payload);
    await redis.quit();
    return;
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('SELECT pg_notify($1, $2)', [channel, payload]);
  await client.end();
}
