import { createWorkspaceFixture } from '@switchboard/testing';
import { expect, test } from 'vitest';
import {
  ARRIVED,
  clientsOf,
  control,
  countAttempts,
  request,
  useService,
} from './start-service.ts';

const TO = '+14155550100';
const SENDER = ['payload.sender', 'payload.phoneNumber'];

const service = useService(() => ({
  PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8',
  PROVIDER_TIMEOUT_MS: '4000',
  UNKNOWN_LOOKUPS_MS: '5000,6000',
}));

async function readLedger(to: string) {
  const text = await (await fetch(`${service.simulator.url}/simulator/ledger`)).text();
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
  const { credentials } = (await control(service, 'accounts', { type: 'http', number })).body as {
    credentials: Record<'username' | 'password' | 'signing_key', string>;
  };
  const { username, password, signing_key: secret } = credentials;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const gateway = `${service.simulator.providerUrls.http}/3rdparty/v1`;
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
      code_path: 'payload.reason',
      detail_path: 'payload.reason',
    },
    inbound_webhook: {
      id_path: 'id',
      identity_paths: [SENDER, 'payload.receivedAt', 'payload.message'],
      from_path: SENDER,
      to_path: 'payload.recipient',
      body_path: 'payload.message',
      event_path: 'event',
      events: ['sms:received'],
    },
    signing: {
      header: 'X-Signature',
      timestamp_header: 'X-Timestamp',
      algorithm: 'hmac-sha256',
      secret,
    },
  };
  const { api, database } = service;
  const workspace = await createWorkspaceFixture(database.url, { provider: false, from: number });
  const clients = clientsOf(service, workspace);
  const { asOwner } = clients;
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
    ...clients,
    number,
    path: `/providers/${id}`,
    password,
    authorization,
    inboundUrl: webhookUrl('inbound'),
    receive: (from: string, body: string) =>
      control(service, 'inbound', { to: number, from, body }),
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
  await expect
    .poll(() => phone.read(failed['id']), ARRIVED)
    .toMatchObject({
      status: 'failed',
      error_code: 'RESULT_ERROR_GENERIC_FAILURE',
      error_detail: 'RESULT_ERROR_GENERIC_FAILURE',
    });

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

test('a message whose response was lost is identified by the phone’s status webhook and sent once', async () => {
  const phone = await connectPhone();
  const to = '+15005550022';
  const sent = await phone.send(to);
  await expect.poll(() => phone.read(sent['id']), ARRIVED).toMatchObject({ status: 'delivered' });
  expect(countAttempts(await phone.read(sent['id']))).toBe(1);
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

test('a change keeps the secrets that it omits, and no response shows them', async () => {
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

test('a message without a response or a status is sent once, and a second time only if the owner has chosen that', async () => {
  const withoutResend = await connectPhone({ isSendOnly: true });
  const withResend = await connectPhone({ isSendOnly: true, on_unknown: 'resend' });
  // Accepted, but never answered.
  const to = '+15005550023';
  const once = await withoutResend.send(to, 'Once');
  const twice = await withResend.send(to, 'Twice');
  const countOf = async (text: string) =>
    (await readLedger(to)).filter(({ body }) => body === text).length;
  await expect.poll(() => countOf('Twice'), ARRIVED).toBe(2);
  expect(await countOf('Once')).toBe(1);
  for (const [phone, { id }, attempts] of [
    [withoutResend, once, 1],
    [withResend, twice, 2],
  ] as const) {
    expect(countAttempts(await phone.read(id))).toBe(attempts);
  }
});
