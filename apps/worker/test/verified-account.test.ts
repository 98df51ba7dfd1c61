import { createCircuitBreakerStore, createProviderStore } from '@switchboard/database';
import { createLogger } from '@switchboard/runtime';
import { EVENTUALLY, updateMessages } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccountMonitor } from '../src/account-monitor.ts';
import { FROM, LONG_TIMEOUTS, startEnvironment } from './start-environment.ts';

const RECIPIENT = '+14155550100';

let environment: Awaited<ReturnType<typeof startEnvironment>>;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  environment = await startEnvironment(
    { settings: { ...LONG_TIMEOUTS, UNKNOWN_LOOKUPS_MS: '500,20000' } },
    (end) => ends.push(end),
  );
  await environment.startWorker();
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** Creates the message at the provider like another system that uses the account. */
async function sendAsAnother(accountSid: string, body: string): Promise<string> {
  const response = await fetch(
    `${environment.simulator.url}/2010-04-01/Accounts/${accountSid}/Messages.json`,
    {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${accountSid}:token of ${accountSid}`)}`,
        connection: 'close',
      },
      body: new URLSearchParams({ To: RECIPIENT, From: FROM, Body: body }),
    },
  );
  return ((await response.json()) as { sid: string }).sid;
}

async function startUnverified() {
  const workspace = await environment.addWorkspace({ verified: false });
  const hint = await environment.accept(workspace.workspaceId, RECIPIENT, {
    hint: false,
    body: 'text',
  });
  const isVerified = async () =>
    (await createProviderStore(environment.database).find(workspace.workspaceId))?.isVerified;
  expect(await isVerified()).toBe(false);
  return { ...workspace, hint, isVerified };
}

test('a queued message that the provider accepts verifies its account', async () => {
  const { hint, isVerified } = await startUnverified();
  await environment.producer.enqueue([hint]);
  await expect.poll(isVerified, EVENTUALLY).toBe(true);
});

test('a lookup that the provider answers verifies the account of the message', async () => {
  const { accountSid, hint, isVerified } = await startUnverified();
  await environment.store.claim(hint);
  await sendAsAnother(accountSid, 'text');
  await environment.database.pool.query(
    'UPDATE message_progress SET due_at = now() WHERE id = $1',
    [hint.messageId],
  );
  await expect.poll(isVerified, EVENTUALLY).toBe(true);
});

test('a poll that the provider answers verifies the account of the message', async () => {
  const { accountSid, hint, isVerified } = await startUnverified();
  await environment.store.claim(hint);
  await updateMessages(environment.database.pool, {
    set: `dispatch = 'accepted', provider_sid = $2, vendor_account_id = $3,
       provider_status = 'queued', due_at = now()`,
    where: 'id = $1',
    values: [hint.messageId, await sendAsAnother(accountSid, 'text'), accountSid],
  });
  await expect.poll(isVerified, EVENTUALLY).toBe(true);
});

test('an answered call ends the refusal of an account without verifying it if calls do not prove the account', async () => {
  // Without a worker: its probe would end the refusal.
  const idle = await startEnvironment(undefined, (end) => ends.push(end));
  const { workspaceId } = await idle.addWorkspace({ verified: false });
  const providers = createProviderStore(idle.database);
  const find = () => providers.find(workspaceId);
  const account = await find();
  if (account === null) throw new Error('The workspace has no account.');
  const monitor = createAccountMonitor({
    breakers: createCircuitBreakerStore(idle.database),
    providers,
    callsProve: () => false,
    routes: { forget: () => undefined, isOnlyAccount: () => true },
    queues: { hold: () => undefined, chooseAgain: () => undefined },
    logger: createLogger({ name: 'worker', level: 'silent' }),
  });
  const used = { ...account, workspaceId, isRefused: false, isFailing: false };
  await monitor.record(used, 'refused', 'No');
  expect((await find())?.refusedDetail).toBe('No');
  await monitor.recordRead(used);
  await monitor.record({ ...used, isRefused: true }, 'answered', '');
  expect(await find()).toMatchObject({
    refusedSince: null,
    refusedDetail: null,
    isVerified: false,
  });
});
