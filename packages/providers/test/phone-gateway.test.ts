import {
  type ChildProcess,
  createTestDatabase,
  createWorkspaceFixture,
  startApi,
  startWorker,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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
    PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8',
    PROVIDER_TIMEOUT_MS: '4000',
    UNKNOWN_LOOKUPS_MS: '5000,6000',
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

async function request(url: string, method: string, authorization: string, body?: object) {
  const answer = await fetch(url, {
    method,
    headers: { authorization, 'content-type': 'application/json', connection: 'close' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

async function readLedger(to: string) {
  const text = await (await fetch(`${simulator.url}/simulator/ledger`)).text();
  const lines = text.split('\n').filter((line) => line !== '');
  return lines
    .map((line) => JSON.parse(line) as { to: string; body: string; provider: string })
    .filter((line) => line.to === to);
}

let phones = 0;

/** Creates a workspace whose only account is a simulated phone, as docs/providers/http.md says. */
async function connectPhone(account: { on_unknown?: 'resend'; isSendOnly?: true } = {}) {
  const { isSendOnly = false, ...choices } = account;
  const number = `+1415777000${(phones += 1)}`;
  const control = (path: string, body: object) =>
    request(`${simulator.url}/simulator/${path}`, 'POST', '', body);
  const { credentials } = (await control('accounts', { type: 'http', number })).body as {
    credentials: Record<'username' | 'password' | 'signing_key', string>;
  };
  const { username, password, signing_key: secret } = credentials;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const gateway = `${simulator.providerUrls.http}/3rdparty/v1`;
  const description = {
    send: {
      method: 'POST',
      url: `${gateway}/messages`,
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      body: '{"id":"{{id}}","textMessage":{"text":"{{body}}"},"phoneNumbers":["{{to}}"]}',
    },
    accepted: { statuses: [202], id_path: 'id' },
    refused: { statuses: [400, 401], detail_path: 'message' },
    status_webhook: {
      id_path: 'payload.messageId',
      status_path: 'event',
      map: { 'sms:sent': 'sent', 'sms:delivered': 'delivered', 'sms:failed': 'failed' },
    },
    inbound_webhook: {
      id_path: 'id',
      from_path: 'payload.sender',
      to_path: 'payload.recipient',
      body_path: 'payload.message',
    },
    signing: {
      header: 'X-Signature',
      timestamp_header: 'X-Timestamp',
      algorithm: 'hmac-sha256',
      secret,
    },
  };
  const workspace = await createWorkspaceFixture(database.url, { provider: false, from: number });
  const base = `${api.url}/api/ui/workspaces/${workspace.workspaceId}`;
  const asOwner = (method: string, path: string, body?: object) =>
    request(base + path, method, `Bearer ${workspace.sessionToken}`, body);
  const asProgram = (method: string, path: string, body?: object) =>
    request(api.url + path, method, `Bearer ${workspace.apiKey}`, body);
  const { send, accepted } = description;
  const withoutId = '{"textMessage":{"text":"{{body}}"},"phoneNumbers":["{{to}}"]}';
  const added = await asOwner('POST', '/providers', {
    type: 'http',
    credentials: isSendOnly ? { send: { ...send, body: withoutId }, accepted } : description,
    ...choices,
  });
  const { on_unknown = 'fail' } = choices;
  expect(added).toMatchObject({ status: 201, body: { type: 'http', on_unknown } });
  const id = String(added.body['id']);
  expect(await asOwner('POST', `/providers/${id}/verify`)).toMatchObject({ body: { ok: true } });
  const webhookUrl = (kind: string) => `${api.url}/api/webhooks/http/${id}/${kind}`;
  for (const event of ['sms:sent', 'sms:delivered', 'sms:failed', 'sms:received']) {
    const url = webhookUrl(event === 'sms:received' ? 'inbound' : 'status');
    const set = await request(`${gateway}/webhooks`, 'POST', authorization, { url, event });
    expect(set.status).toBe(201);
  }
  return {
    number,
    asOwner,
    asProgram,
    path: `/providers/${id}`,
    password,
    authorization,
    inboundUrl: webhookUrl('inbound'),
    receive: (from: string, body: string) => control('inbound', { to: number, from, body }),
    send: async (to: string, body = 'Hello') =>
      (await asProgram('POST', '/api/messages', { to, body })).body,
    read: async (message: unknown) =>
      (await asProgram('GET', `/api/messages/${String(message)}`)).body,
  };
}

test('a workspace with a phone as its gateway sends messages, receives statuses and messages, and honors STOP', async () => {
  const phone = await connectPhone();
  const text = 'A "quoted" line,\nand € 1 {{to}} \u{1F600}';
  const sent = await phone.send(TO, text);
  await expect
    .poll(() => phone.read(sent['id']), ARRIVED)
    .toMatchObject({ status: 'delivered', provider_sid: sent['id'] });
  expect(await readLedger(TO)).toMatchObject([{ provider: 'http', body: text }]);
  const failed = await phone.send('+15005550010');
  await expect.poll(() => phone.read(failed['id']), ARRIVED).toMatchObject({ status: 'failed' });

  expect(await phone.receive(TO, 'Hi')).toMatchObject({ body: { status: 200 } });
  const { body } = await phone.asProgram('GET', '/api/messages?direction=inbound');
  expect(body).toMatchObject({ messages: [{ body: 'Hi', from: TO, to: phone.number }] });
  const forged = await fetch(phone.inboundUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      connection: 'close',
      'x-signature': 'a'.repeat(64),
      'x-timestamp': String(Math.floor(Date.now() / 1_000)),
    },
    body: JSON.stringify({
      id: 'x',
      payload: { sender: TO, recipient: phone.number, message: '!' },
    }),
  });
  expect(forged.status).toBe(403);
  expect(await phone.receive(TO, 'STOP')).toMatchObject({ body: { status: 200 } });
  expect(await phone.send(TO)).toMatchObject({ error: 'recipient_opted_out' });
});

test('a message whose answer was lost is identified by the phone’s status webhook and sent once', async () => {
  const phone = await connectPhone();
  const to = '+15005550022';
  const sent = await phone.send(to);
  await expect.poll(() => phone.read(sent['id']), ARRIVED).toMatchObject({ status: 'delivered' });
  const { events } = (await phone.read(sent['id'])) as { events: { type: string }[] };
  expect(events.filter(({ type }) => type === 'attempt_started')).toHaveLength(1);
  expect(await readLedger(to)).toHaveLength(1);
});

test('a refusal by the phone fails the message with the phone’s error text', async () => {
  const phone = await connectPhone();
  const sent = await phone.send('+15005550001');
  await expect
    .poll(() => phone.read(sent['id']), ARRIVED)
    .toMatchObject({
      status: 'failed',
      error_code: 'http_400',
      error_detail: 'Invalid phone number: +15005550001',
    });
});

test('a change keeps the secrets that it omits, and no answer shows them', async () => {
  const phone = await connectPhone();
  const changed = await phone.asOwner('PATCH', phone.path, {
    credentials: { refused: { statuses: [400, 401, 403] } },
  });
  expect(changed).toMatchObject({
    status: 200,
    body: {
      credentials: {
        'refused.statuses': '400, 401, 403',
        'send.headers.authorization_last4': phone.authorization.slice(-4),
      },
    },
  });
  expect(JSON.stringify(changed.body)).not.toContain(phone.authorization);
  const sent = await phone.send('+14155550177');
  await expect.poll(() => phone.read(sent['id']), ARRIVED).toMatchObject({ status: 'delivered' });
  const send = { url: 'https://elsewhere.example/' };
  expect(await phone.asOwner('PATCH', phone.path, { credentials: { send } })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('`credentials.send.headers` must be given') },
  });
});

test('a message without an answer or a status is sent once, and once more only if the owner chose that', async () => {
  const careful = await connectPhone({ isSendOnly: true });
  const bold = await connectPhone({ isSendOnly: true, on_unknown: 'resend' });
  // Accepted, but never answered.
  const to = '+15005550023';
  const once = await careful.send(to, 'Once');
  const twice = await bold.send(to, 'Twice');
  const countOf = async (text: string) =>
    (await readLedger(to)).filter(({ body }) => body === text).length;
  await expect.poll(() => countOf('Twice'), ARRIVED).toBe(2);
  expect(await countOf('Once')).toBe(1);
  for (const [phone, { id }, attempts] of [
    [careful, once, 1],
    [bold, twice, 2],
  ] as const) {
    const { events } = (await phone.read(id)) as { events: { type: string }[] };
    expect(events.filter(({ type }) => type === 'attempt_started')).toHaveLength(attempts);
  }
});
