import { setTimeout as pause } from 'node:timers/promises';
import { startRedis } from '@switchboard/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LONG_TIMEOUTS, startBench } from './start-bench.ts';

const RECIPIENT = '+14155550100';

describe.each(['PostgreSQL', 'Redis'])('with the queue on %s', (backend) => {
  async function start() {
    if (backend === 'PostgreSQL') return startBench();
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    return startBench({ redisUrl: redis.url });
  }

  test('a queued message is sent to its provider and stores the provider’s identifier', async () => {
    const bench = await start();
    const { workspaceId, accountSid } = await bench.addWorkspace();
    const { logs } = await bench.startWorker(LONG_TIMEOUTS);
    const { messageId, requestId } = await bench.accept(workspaceId, RECIPIENT, { body: 'Hello' });

    const row = await bench.until(messageId, (now) => now.dispatch === 'accepted');
    expect(row).toMatchObject({ attempt: 1, resends: 0, sid_adopted: false });
    expect(row.provider_sid).toMatch(/^SM[0-9a-f]{32}$/);
    expect(await bench.ledger()).toMatchObject([
      { sid: row.provider_sid, account_sid: accountSid, to: RECIPIENT, body: 'Hello' },
    ]);
    expect((await bench.events(messageId)).slice(0, 3)).toEqual([
      'created',
      'attempt_started',
      'provider_accepted',
    ]);
    const line = logs.find((entry) => entry['msg'] === 'provider answered');
    expect(line).toMatchObject({
      request_id: requestId,
      message_id: messageId,
      workspace_id: workspaceId,
      attempt: 1,
      provider_sid: row.provider_sid,
    });
    expect(JSON.stringify(logs)).not.toContain('Hello');
    expect(JSON.stringify(logs)).not.toContain(RECIPIENT);
  });

  test('several hints to several workers make one provider call', async () => {
    const bench = await start();
    const { workspaceId } = await bench.addWorkspace();
    await Promise.all([bench.startWorker(LONG_TIMEOUTS), bench.startWorker(LONG_TIMEOUTS)]);
    const hints = await Promise.all(
      Array.from({ length: 20 }, () => bench.accept(workspaceId, RECIPIENT, { hint: false })),
    );
    await bench.producer.enqueue([...hints, ...hints, ...hints, ...hints]);
    for (const hint of hints) {
      const row = await bench.until(hint.messageId, (now) => now.dispatch === 'accepted');
      expect(row.attempt).toBe(1);
    }
    await pause(300);
    expect(await bench.ledger()).toHaveLength(20);
  });

  test('a message whose hint was lost is still sent', async () => {
    const bench = await start();
    const { workspaceId } = await bench.addWorkspace();
    const hint = await bench.accept(workspaceId, RECIPIENT, { hint: false });
    await bench.database.pool.query('UPDATE messages SET due_at = now()');
    await bench.startWorker();
    await bench.until(hint.messageId, (now) => now.dispatch === 'accepted');
    expect(await bench.ledger()).toHaveLength(1);
  });
});
