import { startRedis } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startBench } from './start-bench.ts';

test('messages are sent without Redis while Redis is out of memory', async () => {
  const redis = await startRedis({ settings: { maxmemory: '1' } });
  onTestFinished(() => redis.close());
  const bench = await startBench({ redisUrl: redis.url, hintGraceMs: 200 });
  const { workspaceId } = await bench.addWorkspace();
  await bench.startWorker();
  const hint = await bench.accept(workspaceId, '+14155550100', { hint: false });
  await expect(bench.producer.enqueue([hint])).rejects.toThrow(/OOM/);
  const row = await bench.until(hint.messageId, ({ dispatch }) => dispatch === 'accepted');
  expect(row).toMatchObject({ resends: 0 });
  expect(await bench.ledger()).toHaveLength(1);
});
