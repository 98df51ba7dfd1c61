import { setTimeout as delay } from 'node:timers/promises';
import { startRedis } from '@switchboard/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LONG_TIMEOUTS, startEnvironment } from './start-environment.ts';

const RECIPIENT = '+14155550100';

describe.each(['PostgreSQL', 'Redis'])('with the queue on %s', (backend) => {
  async function start() {
    if (backend === 'PostgreSQL') return startEnvironment();
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    return startEnvironment({ redisUrl: redis.url });
  }

  test('a queued message is sent to its provider and stores the provider’s identifier', async () => {
    const environment = await start();
    const { workspaceId, accountSid } = await environment.addWorkspace();
    const { logs } = await environment.startWorker(LONG_TIMEOUTS);
    const { messageId, requestId } = await environment.accept(workspaceId, RECIPIENT, {
      body: 'Hello',
    });

    const row = await environment.until(messageId, (now) => now.dispatch === 'accepted');
    expect(row).toMatchObject({ attempt: 1, resends: 0, sid_adopted: false });
    expect(row.provider_sid).toMatch(/^SM[0-9a-f]{32}$/);
    expect(await environment.ledger()).toMatchObject([
      { sid: row.provider_sid, account_sid: accountSid, to: RECIPIENT, body: 'Hello' },
    ]);
    expect((await environment.events(messageId)).slice(0, 3)).toEqual([
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

  test('the provider receives the text with plain characters if the send prefers GSM-7', async () => {
    const environment = await start();
    const { workspaceId } = await environment.addWorkspace();
    await environment.startWorker(LONG_TIMEOUTS);
    for (const [encoding, body] of [
      ['prefer_gsm7', '"Hi" - you...'],
      ['as_is', '“Hi” – you…'],
    ] as const) {
      const sent = await environment.accept(workspaceId, RECIPIENT, {
        body: '“Hi” – you…',
        encoding,
      });
      const row = await environment.until(sent.messageId, (now) => now.dispatch === 'accepted');
      const ledger = await environment.ledger();
      expect(ledger.find(({ sid }) => sid === row.provider_sid)).toMatchObject({ body });
    }
  });

  test('several hints to several workers make one provider call', async () => {
    const environment = await start();
    const { workspaceId } = await environment.addWorkspace();
    await Promise.all([
      environment.startWorker(LONG_TIMEOUTS),
      environment.startWorker(LONG_TIMEOUTS),
    ]);
    const hints = await Promise.all(
      Array.from({ length: 20 }, () => environment.accept(workspaceId, RECIPIENT, { hint: false })),
    );
    await environment.producer.enqueue([...hints, ...hints, ...hints, ...hints]);
    for (const hint of hints) {
      const row = await environment.until(hint.messageId, (now) => now.dispatch === 'accepted');
      expect(row.attempt).toBe(1);
    }
    await delay(300);
    expect(await environment.ledger()).toHaveLength(20);
  });

  test('a message whose hint was lost is still sent', async () => {
    const environment = await start();
    const { workspaceId } = await environment.addWorkspace();
    const hint = await environment.accept(workspaceId, RECIPIENT, { hint: false });
    await environment.database.pool.query('UPDATE message_progress SET due_at = now()');
    await environment.startWorker(LONG_TIMEOUTS);
    await environment.until(hint.messageId, (now) => now.dispatch === 'accepted');
    expect(await environment.ledger()).toHaveLength(1);
  });
});
