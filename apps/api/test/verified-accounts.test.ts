import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChildProcess, type WorkspaceFixture, startSimulator } from '@switchboard/testing';
import { type CallBackOptions, type Fields, callBack } from './call-back.ts';
import {
  type ApiResponse,
  type Service,
  ask,
  expectRefusal,
  startService,
} from './start-service.ts';

const TO = '+15551230001';

let simulator: ChildProcess;
let service: Service;
let victim: WorkspaceFixture;
let sids = 0;

beforeAll(async () => {
  simulator = await startSimulator();
  service = await startService({
    env: { TWILIO_API_URL: simulator.url, PROVIDER_TIMEOUT_MS: '5000', SWEEP_MS: '60000' },
  });
  victim = await service.addWorkspace();
  // The first token that the simulator receives for an account becomes its token.
  await askSimulator(victim);
});
afterAll(async () => {
  await service.close();
  await simulator.stop();
});

const newSid = () => `SM${String((sids += 1)).padStart(32, '0')}`;

async function askSimulator({ accountSid, authToken }: WorkspaceFixture): Promise<void> {
  const authorization = `Basic ${btoa(`${accountSid}:${authToken}`)}`;
  const response = await fetch(`${simulator.url}/2010-04-01/Accounts/${accountSid}.json`, {
    headers: { authorization, connection: 'close' },
  });
  expect(response.status).toBe(200);
  await response.text();
}

async function send(from: WorkspaceFixture): Promise<string> {
  const { json } = await ask(service.url, '/api/messages', {
    token: from.apiKey,
    json: { to: TO, body: 'x' },
  });
  return String(json?.['id']);
}

const sendWebhook = (from: WorkspaceFixture, fields: Fields, options: CallBackOptions = {}) =>
  callBack(service.url, from, fields, options);

/** Stores a message with an identifier that a lookup has found. */
async function adopt(workspace: WorkspaceFixture): Promise<{ id: string; sid: string }> {
  const [id, sid] = [await send(workspace), newSid()];
  await service.updateMessages({
    set: `dispatch = 'accepted', attempt = 1, version = version + 2,
      status = 'sent', provider_status = 'sent', sid_adopted = true,
      provider_id = $4, vendor_account_id = $2, provider_sid = $3, due_at = NULL`,
    where: 'id = $1',
    values: [id, workspace.accountSid, sid, workspace.providerId],
  });
  return { id, sid };
}

const readRow = (id: string) => service.sql('SELECT * FROM messages WHERE id = $1', [id]);

async function expectUntouched(id: string, run: () => Promise<ApiResponse>): Promise<void> {
  const before = await readRow(id);
  expectRefusal(await run(), 403, 'forbidden');
  expect(await readRow(id)).toEqual(before);
  expect(await service.countRows('unmatched_callbacks')).toBe(0);
}

const delivered = (sid: string) => ({ MessageSid: sid, MessageStatus: 'delivered' });

describe('workspaces with an unverified provider account', () => {
  let attacker: WorkspaceFixture;
  beforeAll(async () => {
    const { accountSid } = victim;
    attacker = await service.addWorkspace({ accountSid, verified: false });
  });

  test('a workspace with an unverified account cannot take a message’s identifier from another workspace', async () => {
    const { id, sid } = await adopt(victim);
    const message = await send(attacker);
    await expectUntouched(id, () => sendWebhook(attacker, delivered(sid), { message }));
    expect(await readRow(message)).toMatchObject([{ provider_sid: null, dispatch: 'ready' }]);
  });

  test('a workspace with an unverified account cannot reserve an identifier that no message has yet', async () => {
    const message = await send(attacker);
    await expectUntouched(message, () => sendWebhook(attacker, delivered(newSid()), { message }));
    await expectUntouched(message, () => sendWebhook(attacker, delivered(newSid())));
  });

  test('a workspace with an unverified account cannot store received messages', async () => {
    const fields = { MessageSid: newSid(), From: '+15557770001', To: victim.from, Body: 'hello' };
    expectRefusal(await sendWebhook(attacker, fields, { kind: 'inbound' }), 403, 'forbidden');
    expect((await sendWebhook(victim, fields, { kind: 'inbound' })).status).toBe(200);
    expect(
      await service.sql(
        `SELECT workspace_id FROM messages WHERE provider_sid = '${fields.MessageSid}'`,
      ),
    ).toEqual([{ workspace_id: victim.workspaceId }]);
  });
});

test('a webhook before the first accepted call is processed if the provider confirms the account', async () => {
  const workspace = await service.addWorkspace({ verified: false });
  const [id, sid] = [await send(workspace), newSid()];
  expect((await sendWebhook(workspace, delivered(sid), { message: id })).status).toBe(200);
  expect(await readRow(id)).toMatchObject([{ provider_sid: sid, status: 'delivered' }]);
  const [stored] = await service.sql<{ verified: boolean }>(
    `SELECT verified_credentials = sealed_secret AS verified
     FROM provider_accounts WHERE workspace_id = $1`,
    [workspace.workspaceId],
  );
  expect(stored).toEqual({ verified: true });
});

test('new credentials must be verified again', async () => {
  const workspace = await service.addWorkspace();
  await askSimulator(workspace);
  const invented = { ...workspace, authToken: 'f'.repeat(32) };
  const path = `/api/ui/workspaces/${workspace.workspaceId}/provider`;
  const put = await ask(service.url, path, {
    method: 'PUT',
    token: workspace.sessionToken,
    json: { type: 'twilio', account_sid: workspace.accountSid, auth_token: invented.authToken },
  });
  expect(put.status).toBe(200);
  const message = await send(workspace);
  await expectUntouched(message, () => sendWebhook(invented, delivered(newSid()), { message }));
});

test('two workspaces with the same verified account cannot take each other’s identifiers through a callback', async () => {
  const { accountSid, authToken } = victim;
  const partner = await service.addWorkspace({ accountSid, authToken });
  const { id, sid } = await adopt(victim);
  const message = await send(partner);
  await expectUntouched(id, () => sendWebhook(partner, delivered(sid), { message }));
  expect(await readRow(message)).toMatchObject([{ provider_sid: null }]);
});

test('an account that was removed and is added again has its messages and their late status callbacks again', async () => {
  const workspace = await service.addWorkspace();
  const { accountSid: account_sid, authToken: auth_token, providerId, sessionToken } = workspace;
  await askSimulator(workspace);
  const { id, sid } = await adopt(workspace);
  const read = async (query: string) =>
    (await ask(service.url, `/api/messages${query}`, { token: workspace.apiKey })).json;
  const ofAccount = async () => (await read(`?provider=${providerId}`))?.['messages'];
  const provider = { id: providerId, type: 'twilio' };
  expect(await read(`/${id}`)).toMatchObject({ provider });

  const path = `/api/ui/workspaces/${workspace.workspaceId}/provider`;
  const change = (method: 'PUT' | 'DELETE', json?: object) =>
    ask(service.url, path, { method, token: sessionToken, ...(json !== undefined && { json }) });
  expect((await change('DELETE')).status).toBe(200);
  expect(await read(`/${id}`)).toMatchObject({ provider: null });
  expect(await ofAccount()).toEqual([]);
  expect((await sendWebhook(workspace, delivered(sid))).status).toBe(403);

  expect((await change('PUT', { type: 'twilio', account_sid, auth_token })).status).toBe(200);
  expect((await sendWebhook(workspace, delivered(sid))).status).toBe(200);
  expect(await read(`/${id}`)).toMatchObject({ provider, status: 'delivered' });
  expect(await ofAccount()).toMatchObject([{ id, provider }]);
});

test('webhooks of an account that cannot be verified at the moment are answered with 503, so that the provider retries', async () => {
  const unreachable = await startService({
    env: { TWILIO_API_URL: 'http://127.0.0.1:9', SWEEP_MS: '60000' },
  });
  try {
    const workspace = await unreachable.addWorkspace({ verified: false });
    const response = await callBack(unreachable.url, workspace, delivered(newSid()));
    expectRefusal(response, 503, 'service_unavailable');
    expect(await unreachable.countRows('unmatched_callbacks')).toBe(0);
  } finally {
    await unreachable.close();
  }
});
