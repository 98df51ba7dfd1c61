import { EVENTUALLY, startRedisCluster, startRedisSentinels } from '@switchboard/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { createHarness, makeNotices, TIMEOUT_MS } from './harness.ts';

describe.each([
  ['sentinels', startRedisSentinels],
  ['a cluster', startRedisCluster],
] as const)('the bus over %s whose master is lost', (_name, startGroup) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  it('tells of the gap, and brings notices from process to process again', async () => {
    const group = await startGroup();
    closers.push(() => group.close());
    const harness = createHarness(
      { redisUrl: group.url, databaseUrl: 'postgres://nowhere.invalid' },
      TIMEOUT_MS,
    );
    closers.unshift(() => harness.close());
    const [sender, receiver] = [harness.open(), harness.open()];
    await vi.waitFor(() => Promise.all([sender.ping(), receiver.ping()]), EVENTUALLY);
    await group.failOver();
    await vi.waitFor(() => expect(receiver.gaps).toBe(2), EVENTUALLY);
    const notices = makeNotices(3);
    await vi.waitFor(() => sender.publish(notices), EVENTUALLY);
    await vi.waitFor(
      () => expect(receiver.received).toEqual(expect.arrayContaining(notices)),
      EVENTUALLY,
    );
  });
});
