import { EVENTUALLY } from '@switchboard/testing';
import { findFreePort } from '@switchboard/embedded-postgres';
import { expect, test, vi } from 'vitest';
import { addSecondAccount } from './add-second-account.ts';
import { LONG_TIMEOUTS, startEnvironment } from './start-environment.ts';

const RECIPIENT = '+14155550100';
const OWN = '+15005550006';
const OTHER = '+14155550123';

type Environment = Awaited<ReturnType<typeof startEnvironment>>;

async function timeline({ database }: Environment, id: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ line: string }>(
    `SELECT concat(type, ': ', detail) AS line FROM message_timeline
     WHERE message_id = $1 ORDER BY message_version, id`,
    [id],
  );
  return rows.map(({ line }) => line);
}

test('a message of an account that refuses connections is sent once by the other account, from a number of that account', async ({
  onTestFinished,
}) => {
  const providerUrl = `http://127.0.0.1:${await findFreePort()}`;
  const environment = await startEnvironment({ providerUrl, hintGraceMs: 200 }, onTestFinished);
  const { workspaceId } = await environment.addWorkspace();
  await addSecondAccount(environment, workspaceId, { type: 'sandbox', account: 'sandbox-1' });
  await environment.startWorker(LONG_TIMEOUTS);
  const { messageId } = await environment.accept(workspaceId, RECIPIENT, { from: OWN });
  const row = await environment.until(messageId, (now) => now.dispatch === 'accepted');
  expect(row).toMatchObject({ status: 'delivered', attempt: 2, resends: 0, from: OTHER });
  expect(await timeline(environment, messageId)).toEqual([
    'created: ',
    'attempt_started: Attempt 1 with twilio',
    expect.stringMatching(/^attempt_failed: .* Trying another provider account\.$/),
    'attempt_started: Attempt 2 with Second',
    'provider_accepted: ',
  ]);
});

test('a message of an account whose credentials are refused is sent once by another account of the same provider', async ({
  onTestFinished,
}) => {
  const environment = await startEnvironment({ hintGraceMs: 200 }, onTestFinished);
  const { workspaceId, accountSid } = await environment.addWorkspace();
  const second = `AC${'2'.repeat(32)}`;
  await addSecondAccount(environment, workspaceId, {
    type: 'twilio',
    account: second,
    token: 'second',
  });
  await environment.setToken(workspaceId, 'a wrong token');
  // The carrier accepts the first token that it receives for an account.
  await fetch(`${environment.simulator.url}/2010-04-01/Accounts/${accountSid}.json`, {
    headers: {
      authorization: `Basic ${Buffer.from(`${accountSid}:right`).toString('base64')}`,
      connection: 'close',
    },
  });
  await environment.startWorker(LONG_TIMEOUTS);
  const { messageId } = await environment.accept(workspaceId, RECIPIENT, { from: OWN });
  await environment.until(messageId, (now) => now.dispatch === 'accepted');
  expect((await environment.ledger()).map((line) => line.account_sid)).toEqual([second]);
});

test('a message whose outcome is unknown stays with its account, and is not sent by another one', async ({
  onTestFinished,
}) => {
  const environment = await startEnvironment({ hintGraceMs: 200 }, onTestFinished);
  const { workspaceId } = await environment.addWorkspace();
  await addSecondAccount(environment, workspaceId, { type: 'sandbox', account: 'sandbox-1' });
  await environment.behave({ accept_then_reset: 1 });
  await environment.startWorker();
  const { messageId } = await environment.accept(workspaceId, RECIPIENT, { from: OWN });
  const row = await environment.until(messageId, (now) => now.dispatch === 'accepted');
  expect(row).toMatchObject({ attempt: 1, sid_adopted: true, from: OWN });
  expect(await environment.ledger()).toHaveLength(1);
});

test('a resend after a lookup by text is claimed only for its own account', async ({
  onTestFinished,
}) => {
  const environment = await startEnvironment({}, onTestFinished);
  const { workspaceId, providerId, accountSid } = await environment.addWorkspace();
  const other = await addSecondAccount(environment, workspaceId, { type: 'sandbox', account: 'x' });
  const hint = await environment.accept(workspaceId, RECIPIENT, { from: OWN, hint: false });
  const { rows } = await environment.database.pool.query<{ version: number }>(
    `UPDATE message_progress SET resends = 1, attempt = 1, vendor_account_id = $2, provider_id = $3
     WHERE id = $1 RETURNING version`,
    [hint.messageId, accountSid, providerId],
  );
  const version = rows[0]?.version ?? 0;
  const choice = { providerId: other, from: OTHER, version };
  expect(await environment.store.claim({ ...hint, choice })).toBeNull();
  expect(await environment.store.claim(hint)).toMatchObject({
    provider: { vendorAccountId: accountSid },
  });
});

test('an open circuit breaker holds back only its own account, and the messages use the other one immediately', async ({
  onTestFinished,
}) => {
  const environment = await startEnvironment({ hintGraceMs: 200 }, onTestFinished);
  const { workspaceId } = await environment.addWorkspace();
  await addSecondAccount(environment, workspaceId, { type: 'sandbox', account: 'sandbox-1' });
  const { pool } = environment.database;
  await pool.query(
    `UPDATE provider_accounts SET failing_since = now(), probe_at = now() + interval '1 hour'
     WHERE workspace_id = $1 AND type = 'twilio'`,
    [workspaceId],
  );
  await environment.startWorker(LONG_TIMEOUTS);
  const { messageId } = await environment.accept(workspaceId, RECIPIENT, { from: OWN });
  const row = await environment.until(messageId, (now) => now.dispatch === 'accepted');
  // The open breaker is proof enough: the account is not called.
  expect(row).toMatchObject({ attempt: 1, from: OTHER });
});

test('a message that only one account may send is sent soon after the pause of that account ends', async ({
  onTestFinished,
}) => {
  const environment = await startEnvironment({ hintGraceMs: 200 }, onTestFinished);
  const { workspaceId } = await environment.addWorkspace();
  await addSecondAccount(environment, workspaceId, { type: 'sandbox', account: 'sandbox-1' });
  const { pool } = environment.database;
  await pool.query('UPDATE workspace_routing SET failover = false WHERE workspace_id = $1', [
    workspaceId,
  ]);
  await pool.query(
    `UPDATE provider_accounts SET enabled = false WHERE workspace_id = $1 AND type = 'twilio'`,
    [workspaceId],
  );
  await environment.startWorker({ ...LONG_TIMEOUTS, LEASE_MS: '600000' });
  const { messageId } = await environment.accept(workspaceId, RECIPIENT, { from: OWN });
  // The sweeper has taken the message, and would take it again after a lease.
  await vi.waitFor(async () => {
    const { rows } = await pool.query<{ waits: boolean }>(
      `SELECT dispatch = 'ready' AND due_at > now() + interval '5 minutes' AS waits
       FROM messages WHERE id = $1`,
      [messageId],
    );
    expect(rows[0]?.waits).toBe(true);
  }, EVENTUALLY);
  await pool.query('UPDATE provider_accounts SET enabled = true WHERE workspace_id = $1', [
    workspaceId,
  ]);
  const row = await environment.until(messageId, (now) => now.dispatch === 'accepted');
  expect(row).toMatchObject({ attempt: 1, from: OWN });
});
