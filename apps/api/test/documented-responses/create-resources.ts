import { deliveryIdOf } from '@switchboard/core';
import { createMediaLinks } from '@switchboard/media';
import { listSecretKeys } from '@switchboard/runtime';
import {
  TEST_SECRET_KEY,
  type WorkspaceFixture,
  createWorkspaceFixture,
} from '@switchboard/testing';
import { beforeAll, expect } from 'vitest';
import { deliverTestEvents } from '../deliver-test-events.ts';
import { type DocumentedRoute, isProviderWebhook } from '../documented.ts';
import { PNG } from '../media-samples.ts';
import { ask } from '../start-service.ts';
import { addLink, addPendingSession, connectIdentity } from './add-link.ts';
import { callBack, callBackAsVendor } from './call-back-as-vendor.ts';
import { addFactor } from './factor-outcomes.ts';
import {
  api,
  ours,
  pool,
  postgres,
  theirs,
  providerUrl,
  RECIPIENT,
  PICTURE,
  LOST_PICTURE,
} from './environment.ts';
import {
  resources,
  record,
  tokenOf,
  isEvents,
  schemeOf,
  goodBody,
  fileOf,
} from './record-outcomes.ts';

/** Registers a hook of the calling file that creates the resources that the routes need. */
export function useResources(): void {
  beforeAll(async () => {
    const made = await createResources();
    Object.assign(resources, { workspaceId: ours.workspaceId, index: '0', ...made });
  });
}

async function createResources(): Promise<Record<string, string>> {
  const { workspaceId, sessionToken: token } = ours;
  const make = async (path: string, json: object): Promise<Record<string, unknown>> => {
    const response = await ask(api.url, `/api/ui/workspaces/${workspaceId}${path}`, {
      token,
      json,
    });
    expect(response.status).toBe(201);
    return response.json ?? {};
  };
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const message = await make('/messages', { to: RECIPIENT, body: 'Later', scheduled_at: at });
  const testKey = await make('/api-keys', { name: 'Test', mode: 'test' });
  const number = await make('/numbers', { number: '+15550002222' });
  // Unlike the sandbox, it has a list of numbers.
  const credentials = { account_sid: `AC${'8'.repeat(32)}`, auth_token: 'a-token' };
  const provider = await make('/providers', { type: 'twilio', credentials });
  const key = await make('/api-keys', { name: 'To be revoked' });
  await deliverTestEvents(pool);
  await make('/opt-outs', { number: '+15550003333' });
  const contact = await make('/contacts', { number: '+15550008888' });
  const reply = await make('/saved-replies', { name: 'Hours', body: 'We open at nine.' });
  const view = await make('/saved-views', { name: 'Failed', filters: { status: 'failed' } });
  const { token: inviteToken } = await invite(ours, theirs.email);
  const joined = await accept(inviteToken, theirs);
  expect(joined).toBe('201');
  const media = `${providerUrl}/2010-04-01/Accounts/${ours.accountSid}/Messages/MM${'a'.repeat(32)}/Media`;
  // The second is outside the account, and the provider does not respond for the third.
  await receive('MMreceived', [
    `${media}/${PICTURE}`,
    'https://127.0.0.1/',
    `${media}/${LOST_PICTURE}`,
  ]);
  // The conversation of the number that has opted out.
  await callBack('inbound', {
    MessageSid: 'MMtalk',
    From: '+15550003333',
    To: ours.from,
    Body: 'Hello',
  });
  const talk = encodeURIComponent('+15550003333');
  const note = await make(`/conversations/${talk}/notes`, { body: 'Call back' });
  return {
    noteId: String(note['id']),
    messageId: String(message['id']),
    numberId: String(number['id']),
    providerId: String(provider['id']),
    keyId: String(key['id']),
    contactId: String(contact['id']),
    erasureId: String((await make('/people/%2B15550004445/erase', {}))['id']),
    replyId: String(reply['id']),
    viewId: String(view['id']),
    ...(await uploadFile()),
    testKey: String(testKey['key']),
    ...(await addWebhookEndpoint()),
    number: talk,
    userId: theirs.userId,
    inviteId: (await invite(ours, 'guest@example.com')).id,
    token: (await invite(theirs, ours.email)).token,
    sessionId: await startSession(ours),
    resetToken: await addLink('password_reset'),
    emailToken: await addLink('email'),
    signInToken: await addLink('sign_in'),
  };
}

/** Uploads a file and signs a link to it. */
export async function uploadFile(): Promise<{ mediaId: string; fileName: string }> {
  const headers = { 'content-type': 'image/png' };
  const raw = new Uint8Array(PNG);
  const made = await ask(api.url, '/api/media', { token: ours.apiKey, raw, headers });
  const mediaId = String(made.json?.['id']);
  const keys = listSecretKeys(TEST_SECRET_KEY);
  const link = createMediaLinks({ publicUrl: '', keys }).sign(mediaId, 'image/png', Date.now());
  return { mediaId, fileName: link.split('/').at(-1) ?? '' };
}

/** Adds an endpoint with a delivery. */
export async function addWebhookEndpoint(): Promise<{ endpointId: string; deliveryId: string }> {
  const json = { url: 'https://example.com/webhooks' };
  const added = await ask(api.url, '/api/webhook-endpoints', { token: ours.apiKey, json });
  const endpointId = String(added.json?.['id']);
  await pool.query(
    `INSERT INTO webhook_other_events (workspace_id, endpoint_id, event_id, event_type, data, event_at)
     SELECT workspace_id, id, id, 'opt_out.created',
       '{"number":"+15557654321","reason":"STOP","created_at":"2026-11-20T04:33:00.123Z"}', now()
     FROM webhook_endpoints WHERE id = $1`,
    [endpointId],
  );
  // Assigns a sequence to both events.
  await ask(api.url, `/api/webhook-endpoints/${endpointId}/test`, {
    token: ours.apiKey,
    method: 'POST',
  });
  return { endpointId, deliveryId: deliveryIdOf(endpointId, 1) };
}

export async function invite(
  { workspaceId, sessionToken: token }: WorkspaceFixture,
  email: string,
): Promise<{ id: string; token: string }> {
  const path = `/api/ui/workspaces/${workspaceId}`;
  const made = await ask(api.url, `${path}/members`, { token, json: { email, role: 'member' } });
  const listed = await ask(api.url, `${path}/invites`, { token });
  const all = listed.json?.['data'] as { id: string; email: string }[];
  const { id = '' } = all.find((one) => one.email === email) ?? {};
  return { id, token: String(made.json?.['invite_token']) };
}

export function accept(
  inviteToken: string,
  { sessionToken: token }: WorkspaceFixture,
): Promise<string> {
  return record(`POST /api/ui/invites/${inviteToken}/accept`, { token });
}

/** Signs the user in again and returns the id of the session. */
async function startSession({ email, password }: WorkspaceFixture): Promise<string> {
  const started = await ask(api.url, '/api/ui/sessions', { json: { email, password } });
  const token = String(started.json?.['token']);
  const listed = await ask(api.url, '/api/ui/sessions', { token });
  const all = listed.json?.['data'] as { id: string; is_current: boolean }[];
  return all.find((session) => session.is_current)?.id ?? '';
}

function receive(sid: string, media: string[]): Promise<unknown> {
  const urls = media.map((url, at) => [`MediaUrl${at}`, url] as const);
  return callBack('inbound', {
    MessageSid: sid,
    From: RECIPIENT,
    To: ours.from,
    ...Object.fromEntries(urls),
  });
}

/** Creates new resources where an earlier request has canceled, ended or removed them. */
async function renew(path: string): Promise<void> {
  const token = ours.apiKey;
  if (path.includes('{messageId}')) {
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    const json = { to: RECIPIENT, body: 'Later', scheduled_at };
    const made = await ask(api.url, '/api/messages', { token, json });
    resources['messageId'] = String(made.json?.['id']);
  }
  if (path.includes('{numberId}')) {
    numbers += 1;
    const json = { number: `+1555100${String(numbers).padStart(4, '0')}` };
    const made = await ask(api.url, '/api/numbers', { token, json });
    resources['numberId'] = String(made.json?.['id']);
  }
  if (path.includes('{contactId}')) {
    // The example of `other_numbers` belongs to one contact at a time.
    await pool.query('DELETE FROM contacts WHERE workspace_id = $1', [ours.workspaceId]);
    for (const name of ['contactId', 'otherContactId']) {
      numbers += 1;
      const json = { number: `+1555200${String(numbers).padStart(4, '0')}` };
      const made = await ask(api.url, '/api/contacts', { token, json });
      resources[name] = String(made.json?.['id']);
    }
  }
  if (path.includes('{resetToken}')) resources['resetToken'] = await addLink('password_reset');
  if (path.includes('{signInToken}')) resources['signInToken'] = await addLink('sign_in');
  if (path.endsWith('/identity/disconnect')) await connectIdentity(ours.userId);
  if (path.includes('{emailToken}')) resources['emailToken'] = await addLink('email');
  if (path.includes('{mediaId}')) Object.assign(resources, await uploadFile());
  if (path.includes('{endpointId}')) Object.assign(resources, await addWebhookEndpoint());
  if (path.includes('{providerId}')) {
    const json = { type: 'sandbox', credentials: {} };
    const providers = `/api/ui/workspaces/${ours.workspaceId}/providers`;
    const made = await ask(api.url, providers, { token: ours.sessionToken, json });
    // Beyond the quota, the last account is used again.
    if (made.status === 201) resources['providerId'] = String(made.json?.['id']);
  }
  // The default account cannot be removed while others remain and numbers use it.
  if (path.endsWith('/provider')) {
    await pool.query('DELETE FROM provider_accounts WHERE workspace_id = $1 AND NOT is_default', [
      ours.workspaceId,
    ]);
  }
  // These routes end other sessions of the user, so they use a new session.
  if (path.includes('{sessionId}')) resources['sessionId'] = await startSession(ours);
}
let numbers = 0;

export async function succeed(route: DocumentedRoute): Promise<void> {
  const { key, path, method } = route;
  if (isProviderWebhook(route)) {
    if (schemeOf(route) === 'provider_signature') return;
    expect([route.key, await callBackAsVendor(route, 'valid')]).toEqual([route.key, '200']);
    await callBackAsVendor(route, 'empty');
    await callBackAsVendor(route, 'wrong');
    return;
  }
  if (route.endpoint.name === 'closeWorkspace') {
    const closing = await createWorkspaceFixture(postgres.url);
    const { rows } = await pool.query<{ name: string }>(
      'SELECT name FROM workspaces WHERE id = $1',
      [closing.workspaceId],
    );
    const at = key.replace('{workspaceId}', closing.workspaceId);
    const outcome = await record(at, {
      token: closing.sessionToken,
      json: { name: rows[0]?.name },
    });
    expect([key, outcome]).toEqual([key, '200']);
    return;
  }
  if (route.endpoint.name === 'closeAccount') {
    const { sessionToken: token, password } = await createWorkspaceFixture(postgres.url);
    expect([key, await record(key, { token, json: { password } })]).toEqual([key, '200']);
    return;
  }
  const at = path.includes('{index}') ? key.replace('{messageId}', 'MMreceived') : key;
  if (method !== 'GET') await renew(path);
  // The first request needs no state, and only its password would have to be that of the user.
  const isFactor = path.includes('/totp') && key !== 'POST /api/ui/totp';
  const json = key === 'POST /api/ui/totp' ? {} : goodBody(route);
  const outcome = await record(at, {
    ...tokenOf(route),
    ...(json && { json }),
    ...(isFactor && (await addFactor(path))),
    ...fileOf(route),
    ...(path.endsWith('/oidc/sessions') && { headers: await addPendingSession(ours.userId) }),
    upgrade: isEvents(route),
  });
  expect([key, outcome]).toEqual([key, expect.stringMatching(/^(101|20[01])$/)]);
}
