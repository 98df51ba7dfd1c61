import {
  type ChildProcess,
  createTestDatabase,
  createWorkspaceFixture,
  startApi,
  startWorker,
} from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startSimulator } from './start-simulator.ts';

// The tests share two processes of the service. A start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const ARRIVED = { timeout: 60_000, interval: 100 };
const TO = '+14155550100';

let simulator: Awaited<ReturnType<typeof startSimulator>>;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let api: ChildProcess;
let worker: ChildProcess;

beforeAll(async () => {
  simulator = await startSimulator();
  database = await createTestDatabase();
  const env = {
    DATABASE_URL: database.url,
    TELNYX_API_URL: simulator.providerUrls.telnyx,
    VONAGE_API_URL: simulator.providerUrls.vonage,
    SWEEP_MS: '200',
  };
  api = await startApi(env);
  worker = await startWorker({ ...env, PUBLIC_URL: api.url });
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
  await database.drop();
  await simulator.close();
});

async function control(method: string, path: string, body: object) {
  const answer = await fetch(`${simulator.url}/simulator/${path}`, {
    method,
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
}

let numbers = 0;

/** Creates a workspace whose only account is a simulated one at the vendor. */
async function createWorkspace(type: 'telnyx' | 'vonage') {
  const { credentials } = await control('POST', 'accounts', { type });
  const from = `+1555777000${(numbers += 1)}`;
  const workspace = await createWorkspaceFixture(database.url, { provider: false, from });
  const { workspaceId } = workspace;

  async function request(token: string, method: string, path: string, body?: object) {
    const answer = await fetch(api.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }
  const asOwner = (method: string, path: string, body?: object) =>
    request(workspace.sessionToken, method, `/api/ui/workspaces/${workspaceId}${path}`, body);
  const asProgram = (method: string, path: string, body?: object) =>
    request(workspace.apiKey, method, path, body);

  const added = await asOwner('POST', '/providers', { type, credentials, on_unknown: 'fail' });
  expect(added).toMatchObject({ status: 201, body: { type, evidence: { look_up: 'none' } } });
  const inboundUrl = `${api.url}/api/webhooks/${type}/${String(added.body['id'])}/inbound`;
  expect(await asOwner('POST', `/providers/${String(added.body['id'])}/verify`)).toMatchObject({
    body: { ok: true },
  });
  // At Vonage, the owner enters the URL in the dashboard.
  if (type === 'vonage') {
    await control('POST', 'accounts', { type, credentials, inbound_url: inboundUrl });
  }
  const send = async (to: string) =>
    (await asProgram('POST', '/api/messages', { to, body: 'Hello' })).body;
  const read = async (id: unknown) => (await asProgram('GET', `/api/messages/${String(id)}`)).body;
  return { from, asOwner, asProgram, inboundUrl, send, read };
}

describe.each(['telnyx', 'vonage'] as const)('%s', (type) => {
  test(`a workspace with a ${type} account sends messages, receives statuses and messages, and honors opt-outs`, async () => {
    const { from, asOwner, asProgram, inboundUrl, send, read } = await createWorkspace(type);
    const sent = await send(TO);
    await expect
      .poll(() => read(sent['id']), ARRIVED)
      .toMatchObject({
        status: 'delivered',
        provider_sid: expect.stringMatching(/\S/),
      });

    if (type === 'telnyx') {
      // Set in the background after the account was added.
      await expect
        .poll(async () => (await asOwner('GET', '/numbers')).body, ARRIVED)
        .toMatchObject({ data: [{ inbound_wired: true }] });
    }
    const received = await control('POST', 'inbound', { to: from, from: TO, body: 'Hi' });
    expect(received).toMatchObject({ status: 200 });
    const { body } = await asProgram('GET', '/api/messages?direction=inbound');
    expect(body).toMatchObject({ messages: [{ body: 'Hi', from: TO, to: from }] });
    const forged = await fetch(inboundUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        connection: 'close',
        authorization: 'Bearer a.b.c',
        'telnyx-timestamp': '1',
        'telnyx-signature-ed25519': 'x',
      },
      body: '{}',
    });
    expect(forged.status).toBe(403);

    const refused = await send('+15005550004');
    await expect.poll(() => read(refused['id']), ARRIVED).toMatchObject({ status: 'failed' });
    expect(await send('+15005550004')).toMatchObject({ error: 'recipient_opted_out' });
  });

  test(`a ${type} message whose answer was lost is identified by its status webhook and sent once`, async () => {
    const { send, read } = await createWorkspace(type);
    // Accepted, but the connection is reset without an answer.
    const sent = await send('+15005550022');
    await expect.poll(() => read(sent['id']), ARRIVED).toMatchObject({ status: 'delivered' });
    const { events } = (await read(sent['id'])) as { events: { type: string }[] };
    const types = events.map((event) => event.type);
    expect(types.filter((each) => each === 'attempt_started')).toHaveLength(1);
    expect(types).toContain('provider_accepted');
  });
});
