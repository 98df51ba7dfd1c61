import { type DispatchHint, SECRET_FIELD, createUuidV7 } from '@switchboard/core';
import { createSecretBox } from '@switchboard/runtime';
import { createTestRedis, EVENTUALLY, TEST_SECRET_KEY } from '@switchboard/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sealCredentials } from './start-session-environment.ts';
import { RECIPIENT, SENDER, startSmppWorkers } from './start-smpp-workers.ts';

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

test('a worker without the session forwards its hints to the worker that holds it, which sends without waiting for a sweep', async () => {
  // A new message is due for a sweeper only after a minute.
  const environment = await startSmppWorkers({ workers: 1, settings: { SWEEP_MS: '60000' } });
  const { workspaceId, database } = environment;
  await vi.waitFor(async () => {
    const { rows } = await database.pool.query('SELECT state FROM provider_session_leases');
    expect(rows).toEqual([{ state: 'bound' }]);
  }, EVENTUALLY);
  const second = await environment.startWorker({ SWEEP_MS: '60000', METRICS_PORT: '0' });
  const hints: DispatchHint[] = [];
  // The queue decides which worker takes a hint.
  await vi.waitFor(async () => {
    hints.push(await environment.accept(workspaceId, RECIPIENT, { from: SENDER }));
    const response = await fetch(`${second.url}/metrics`, { headers: { connection: 'close' } });
    expect(await response.text()).toMatch(/^switchboard_claims_total\{result="nothing"\} [1-9]/m);
  }, EVENTUALLY);
  for (const { messageId } of hints) {
    await environment.until(messageId, ({ status }) => status === 'delivered', 40_000);
  }
  expect(await environment.ledger()).toHaveLength(hints.length);
});

test('a received message is stored once, and a STOP opts the sender out of the workspace', async () => {
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

test('a long message arrives complete at the recipient and has one receipt', async () => {
  const environment = await startSmppWorkers({ workers: 1 });
  const body = 'A long text with 😀 in it. '.repeat(20);
  const { messageId } = await environment.accept(environment.workspaceId, RECIPIENT, {
    from: SENDER,
    body,
  });
  await environment.until(messageId, ({ status }) => status === 'delivered');
  expect(await environment.ledger()).toMatchObject([{ to: RECIPIENT, body }]);
});

test('messages are sent after the worker that holds their session has shut down', async () => {
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
    const row = await environment.until(messageId, ({ status }) => status === 'delivered');
    expect(row.resends).toBe(0);
  }
  expect(await environment.ledger()).toHaveLength(31);
});

test('an account whose SMSC refuses connections is marked as failing, and recovers after the SMSC is back', async () => {
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

test('messages of an SMSC that refuses connections are sent once by another account, and later messages use the SMSC again', async () => {
  const environment = await startSmppWorkers({ workers: 2 });
  const { workspaceId, database, providerId } = environment;
  const other = '+14155550123';
  await addSandbox(environment, other);
  const first = await environment.accept(workspaceId, RECIPIENT, { from: SENDER });
  await environment.until(first.messageId, ({ status }) => status === 'delivered');

  await environment.behave({ refuse_connections: 1 });
  const second = await environment.accept(workspaceId, RECIPIENT, { from: SENDER });
  expect(
    await environment.until(second.messageId, ({ status }) => status === 'delivered'),
  ).toMatchObject({ from: other, resends: 0 });

  await environment.behave({ refuse_connections: 0 });
  await vi.waitFor(
    async () => {
      const { rows } = await database.pool.query<{ state: string; works: boolean }>(
        `SELECT l.state, p.failing_since IS NULL AS works
         FROM provider_session_leases l JOIN provider_accounts p ON p.id = l.provider_id
         WHERE p.id = $1`,
        [providerId],
      );
      expect(rows).toEqual([{ state: 'bound', works: true }]);
    },
    { timeout: 60_000 },
  );
  // An account that works again gets its share back gradually, unless it is the only one with the
  // sender.
  await database.pool.query('UPDATE provider_accounts SET recovered_at = NULL');
  await database.pool.query('UPDATE workspace_routing SET failover = false');
  const third = await environment.accept(workspaceId, RECIPIENT, { from: SENDER });
  expect(
    await environment.until(third.messageId, ({ status }) => status === 'delivered'),
  ).toMatchObject({ from: SENDER });
  expect(await environment.ledger()).toHaveLength(2);
});

test('an account whose password the SMSC refuses is marked as refused, and sends with the right password without a restart', async () => {
  const environment = await startSmppWorkers({ workers: 2 });
  const { workspaceId, database, providerId, credentials } = environment;
  const setPassword = async (password: string): Promise<void> => {
    const { sealed } = await sealCredentials(workspaceId, { ...credentials, password });
    await database.pool.query(
      `UPDATE provider_accounts SET sealed_secret = $2, refused_since = NULL,
         refused_detail = NULL, probe_at = NULL, probes = 0 WHERE id = $1`,
      [providerId, sealed],
    );
  };
  const first = await environment.accept(workspaceId, RECIPIENT, { from: SENDER });
  await environment.until(first.messageId, ({ status }) => status === 'delivered');
  await setPassword('wrong');
  await vi.waitFor(async () => {
    const { rows } = await database.pool.query<{ refused: boolean }>(
      'SELECT refused_since IS NOT NULL AS refused FROM provider_accounts WHERE id = $1',
      [providerId],
    );
    expect(rows).toEqual([{ refused: true }]);
  }, EVENTUALLY);
  const waiting = await environment.accept(workspaceId, RECIPIENT, { from: SENDER });
  await setPassword(credentials.password);
  const row = await environment.until(waiting.messageId, ({ status }) => status === 'delivered');
  expect(row.resends).toBe(0);
});

/** Adds an account that sends nothing, with a number of its own, and failover. */
async function addSandbox(
  { database, workspaceId, providerId }: Awaited<ReturnType<typeof startSmppWorkers>>,
  number: string,
): Promise<void> {
  const id = createUuidV7(Date.now());
  const owner = { workspaceId, field: SECRET_FIELD };
  await database.pool.query(
    `INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
       secret_last4, name, created_at, updated_at)
     VALUES ($1, $2, 'sandbox', 'sandbox-1', $3, '', 'Sandbox', now(), now())`,
    [id, workspaceId, createSecretBox(TEST_SECRET_KEY).seal('', owner)],
  );
  await database.pool.query(`UPDATE phone_numbers SET provider_id = $2 WHERE workspace_id = $1`, [
    workspaceId,
    providerId,
  ]);
  await database.pool.query(
    `INSERT INTO phone_numbers (id, workspace_id, number, is_default, capabilities, created_at,
       provider_id)
     VALUES ($1, $2, $3, false, '{sms}', now(), $4)`,
    [createUuidV7(Date.now()), workspaceId, number, id],
  );
  await database.pool.query(
    `INSERT INTO workspace_routing (workspace_id, failover, updated_at) VALUES ($1, true, now())`,
    [workspaceId],
  );
}
