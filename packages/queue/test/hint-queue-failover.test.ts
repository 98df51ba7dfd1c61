import { EVENTUALLY, startRedisCluster, startRedisSentinels } from '@switchboard/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { createHarness, makeHints } from './harness.ts';

describe.each([
  ['sentinels', startRedisSentinels],
  ['a cluster', startRedisCluster],
] as const)('the hint queue on %s after the loss of its master', (_name, startGroup) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  test('after a failover, the same producer and consumer exchange hints again', async () => {
    const group = await startGroup();
    closers.push(() => group.close());
    const harness = createHarness({
      redisUrl: group.url,
      databaseUrl: 'postgres://nowhere.invalid',
    });
    closers.unshift(() => harness.close());
    const producer = harness.produce();
    const consumer = harness.consume();
    await vi.waitFor(() => consumer.ping(), EVENTUALLY);
    const before = makeHints(20);
    await producer.enqueue(before);
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(20), EVENTUALLY);

    await group.failOver();
    await vi.waitFor(() => Promise.all([producer.ping(), consumer.ping()]), EVENTUALLY);
    const after = makeHints(20);
    await producer.enqueue(after);
    await vi.waitFor(
      () => expect(consumer.taken).toEqual(expect.arrayContaining([...before, ...after])),
      EVENTUALLY,
    );
    await vi.waitFor(async () => expect(await producer.countPending()).toBe(0), EVENTUALLY);
  });
});
