import { SECRET_FIELD } from '@switchboard/core';
import { createProviderStore } from '@switchboard/database';
import { createSecretBox } from '@switchboard/runtime';
import {
  ROOT_FOLDER,
  TEST_SECRET_KEY,
  createTestDatabase,
  createWorkspaceFixture,
  startApi,
  startWorker,
  openTestDatabase,
} from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { registerAdapter } from './pigeon/register-adapter.ts';
import { OPTED_OUT, startPigeonCarrier } from './pigeon/start-carrier.ts';

const CREDENTIALS = { loft: 'loft-7', token: 'a token of many characters' };
/** Covers the start of two processes and three deliveries. */
const TEST_TIMEOUT_MS = 120_000;
/** Reads less often than the rate limit of a key allows. */
const DELIVERED = { timeout: 60_000, interval: 1_000 };

/**
 * Starts an API and a worker with the adapter of the invented provider, and a workspace that uses
 * it.
 */
async function startService() {
  const carrier = await startPigeonCarrier(CREDENTIALS);
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const env = { DATABASE_URL: database.url, NODE_OPTIONS: await registerAdapter(carrier.url) };
  // The adapter replaces a compiled file.
  const compiled = { root: ROOT_FOLDER };
  const api = await startApi(env, compiled);
  onTestFinished(() => api.stop());
  const worker = await startWorker({ ...env, PUBLIC_URL: api.url }, compiled);
  onTestFinished(() => worker.stop());

  const workspace = await createWorkspaceFixture(database.url, { provider: false });
  const { workspaceId } = workspace;
  const own = openTestDatabase(database.url);
  const owner = { workspaceId, field: SECRET_FIELD };
  const provider = await createProviderStore(own).put({
    workspaceId,
    type: 'pigeon',
    vendorAccountId: CREDENTIALS.loft,
    sealedSecret: createSecretBox(TEST_SECRET_KEY).seal(CREDENTIALS.token, owner),
    secretLast4: '',
    senderPool: null,
    onUnknown: 'resend',
    at: new Date(),
  });
  await own.close();
  if (provider === 'exists') throw new Error('the workspace has another provider');

  async function request(method: string, path: string, body?: object) {
    const answer = await fetch(api.url + path, {
      method,
      headers: {
        authorization: `Bearer ${workspace.apiKey}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }
  const inboundUrl = `${api.url}/api/webhooks/pigeon/${provider.id}/inbound`;
  return { carrier, request, inboundUrl, from: workspace.from };
}

test(
  'an adapter of one folder and one registry line sends messages, receives callbacks and receives messages',
  async () => {
    const { carrier, request, inboundUrl, from } = await startService();
    const send = (to: string) => request('POST', '/api/messages', { to, body: 'Coo' });
    const read = async (id: unknown) => (await request('GET', `/api/messages/${String(id)}`)).body;

    const sent = await send('+14155550100');
    expect(sent.status).toBe(201);
    const { id } = sent.body;
    await expect
      .poll(() => read(id), DELIVERED)
      .toMatchObject({ status: 'delivered', provider_sid: 'note0' });
    expect(carrier.notes).toMatchObject([{ to: '+14155550100', from, text: 'Coo', reference: id }]);

    const inbound = { note: 'n1', to: from, from: '+14155550101', text: 'Coo yourself' };
    const forged = await carrier.post(inboundUrl, inbound, 'another token');
    expect(forged.status).toBe(403);
    const received = await carrier.post(inboundUrl, inbound);
    expect([received.status, await received.text()]).toEqual([200, '{"coo":true}']);
    const { body: list } = await request('GET', '/api/messages?direction=inbound');
    expect(list).toMatchObject({ messages: [{ body: 'Coo yourself', from: '+14155550101' }] });

    // The vendor's error code for an opt-out suppresses the number here too.
    const refused = await send(OPTED_OUT);
    await expect
      .poll(() => read(refused.body['id']), DELIVERED)
      .toMatchObject({ status: 'failed', error_code: 'no_more_pigeons' });
    expect((await send(OPTED_OUT)).body).toMatchObject({ error: 'recipient_opted_out' });
  },
  TEST_TIMEOUT_MS,
);
