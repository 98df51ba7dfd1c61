import { createTestRedis, EVENTUALLY } from '@switchboard/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RECIPIENT, SENDER, startSmppWorkers } from './start-smpp-workers.ts';

vi.setConfig({ testTimeout: 120_000 });

test.each(['Redis', 'PostgreSQL'])(
  'with %s, three workers send each message once over the only bind of the account',
  async (backend) => {
    const redis = backend === 'Redis' ? await createTestRedis() : null;
    if (redis !== null) onTestFinished(() => redis.close());
    const environment = await startSmppWorkers({
      workers: 3,
      ...(redis !== null && { redisUrl: redis.url }),
    });
    const hints = await Promise.all(
      Array.from({ length: 60 }, () =>
        environment.accept(environment.workspaceId, RECIPIENT, { from: SENDER }),
      ),
    );
    for (const { messageId } of hints) {
      const row = await environment.until(messageId, ({ status }) => status === 'delivered');
      expect(row).toMatchObject({ attempt: 1, resends: 0, provider_status: 'delivered' });
    }
    expect(await environment.ledger()).toHaveLength(60);
  },
);

test('a received message is stored once, and STOP holds for the workspace', async () => {
  const environment = await startSmppWorkers({ workers: 2 });
  const { workspaceId } = environment;
  const { messageId } = await environment.accept(workspaceId, RECIPIENT, { from: SENDER });
  await environment.until(messageId, ({ status }) => status === 'delivered');
  const long = `${'ひらがな😀 '.repeat(60)}end`;
  expect(await environment.receive('Hello\nthere')).toMatchObject({ status: 200 });
  expect(await environment.receive(long)).toMatchObject({ status: 200 });
  expect(await environment.receive('STOP')).toMatchObject({ status: 200 });
  expect(await environment.listReceived()).toEqual(['Hello\nthere', long, 'STOP']);
  const { rows } = await environment.database.pool.query(
    'SELECT number FROM opt_outs WHERE workspace_id = $1',
    [workspaceId],
  );
  expect(rows).toEqual([{ number: RECIPIENT }]);
  const after = await environment.accept(workspaceId, RECIPIENT, { from: SENDER });
  const row = await environment.until(after.messageId, ({ dispatch }) => dispatch === 'rejected');
  expect(row.error_code).toBe('recipient_opted_out');
});

test('a long message arrives whole at the recipient and has one receipt', async () => {
  const environment = await startSmppWorkers({ workers: 1 });
  const body = 'A long text with 😀 in it. '.repeat(20);
  const { messageId } = await environment.accept(environment.workspaceId, RECIPIENT, {
    from: SENDER,
    body,
  });
  await environment.until(messageId, ({ status }) => status === 'delivered');
  expect(await environment.ledger()).toMatchObject([{ to: RECIPIENT, body }]);
});

test('messages go on when the worker with the session shuts down', async () => {
  const environment = await startSmppWorkers({ workers: 2 });
  const { workspaceId, workers } = environment;
  const send = () => environment.accept(workspaceId, RECIPIENT, { from: SENDER });
  const first = await send();
  await environment.until(first.messageId, ({ status }) => status === 'delivered');
  const holder = workers.find(({ logs }) =>
    logs.some(({ msg }) => msg === 'provider session bound'),
  );
  const hints = [];
  for (let count = 0; count < 30; count += 1) {
    hints.push(await send());
    if (count === 15) void holder?.stop();
  }
  for (const { messageId } of hints) {
    const row = await environment.until(messageId, ({ status }) => status === 'delivered', 60_000);
    expect(row.resends).toBe(0);
  }
  expect(await environment.ledger()).toHaveLength(31);
});

test('an account whose SMSC refuses connections is failing, and recovers after the SMSC is back', async () => {
  const environment = await startSmppWorkers({ workers: 2 });
  const { workspaceId, database, providerId } = environment;
  const first = await environment.accept(workspaceId, RECIPIENT, { from: SENDER });
  await environment.until(first.messageId, ({ status }) => status === 'delivered');
  const readFailing = async (): Promise<boolean> => {
    const { rows } = await database.pool.query<{ failing: boolean }>(
      'SELECT failing_since IS NOT NULL AS failing FROM provider_accounts WHERE id = $1',
      [providerId],
    );
    return rows[0]?.failing ?? false;
  };
  await environment.behave({ refuse_connections: 1 });
  await vi.waitFor(async () => expect(await readFailing()).toBe(true), { timeout: 60_000 });
  const waiting = await environment.accept(workspaceId, RECIPIENT, { from: SENDER });
  await environment.behave({ refuse_connections: 0 });
  const row = await environment.until(
    waiting.messageId,
    ({ status }) => status === 'delivered',
    90_000,
  );
  expect(row.resends).toBe(0);
  await vi.waitFor(async () => expect(await readFailing()).toBe(false), EVENTUALLY);
  expect(await environment.ledger()).toHaveLength(2);
});
