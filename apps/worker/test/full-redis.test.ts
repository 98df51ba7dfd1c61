import { startRedis } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startEnvironment } from './start-environment.ts';

test('messages are sent without Redis while Redis is out of memory', async () => {
  const redis = await startRedis({ settings: { maxmemory: '1' } });
  onTestFinished(() => redis.close());
  const environment = await startEnvironment({ redisUrl: redis.url, hintGraceMs: 200 });
  const { workspaceId } = await environment.addWorkspace();
  await environment.startWorker();
  const hint = await environment.accept(workspaceId, '+14155550100', { hint: false });
  await expect(environment.producer.enqueue([hint])).rejects.toThrow(/OOM/);
  const row = await environment.until(hint.messageId, ({ dispatch }) => dispatch === 'accepted');
  expect(row).toMatchObject({ resends: 0 });
  expect(await environment.ledger()).toHaveLength(1);
});
