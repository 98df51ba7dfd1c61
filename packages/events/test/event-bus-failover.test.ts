import { EVENTUALLY, startRedisCluster, startRedisSentinels } from '@switchboard/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { createHarness, makeNotifications } from './harness.ts';

describe.each([
  ['sentinels', startRedisSentinels],
  ['a cluster', startRedisCluster],
] as const)('the event bus over %s', (_name, startGroup) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  test('after the loss of its Redis master, the bus reports a gap and delivers notifications again', async () => {
    const group = await startGroup();
    closers.push(() => group.close());
    const harness = createHarness({
      redisUrl: group.url,
      databaseUrl: 'postgres://nowhere.invalid',
    });
    closers.unshift(() => harness.close());
    const [sender, receiver] = [harness.open(), harness.open()];
    await vi.waitFor(() => Promise.all([sender.ping(), receiver.ping()]), EVENTUALLY);
    await group.failOver();
    await vi.waitFor(() => expect(receiver.gaps).toBeGreaterThan(1), EVENTUALLY);
    const notifications = makeNotifications(3);
    await vi.waitFor(() => sender.publish(notifications), EVENTUALLY);
    await vi.waitFor(
      () => expect(receiver.received).toEqual(expect.arrayContaining(notifications)),
      EVENTUALLY,
    );
  });
});
