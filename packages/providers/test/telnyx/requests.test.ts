import type { SendRequest } from '@switchboard/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTelnyxAdapter } from '../../src/telnyx/telnyx-adapter.ts';
import { respond, type FaultServer, startFaultServer } from '../fault-server.ts';
import {
  createTelnyxAccount,
  formatTelnyxEvent,
  signTelnyxBody,
} from '@switchboard/testing/webhooks';
import { requirePart } from '../require-part.ts';

const PROFILE = '4000eba1-a0c0-4563-9925-b25e842a7cb6';
const STATUS_URL =
  'https://x.example/api/webhooks/telnyx/p/status?message=0197a000-0000-7000-8000-000000000001&attempt=1';
const account = { ...createTelnyxAccount('KEY01'), senderPool: PROFILE };
const request: SendRequest = {
  messageId: '0197a000-0000-7000-8000-000000000001',
  attempt: 1,
  to: '+15551234567',
  from: '+15557654321',
  body: 'Hello',
  mediaUrls: [],
  statusUrl: STATUS_URL,
};

let server: FaultServer;
let adapter: ReturnType<typeof createTelnyxAdapter>;

beforeEach(async () => {
  server = await startFaultServer((received) => {
    const sent = JSON.parse(received.body || '{}') as { to?: string; text?: string };
    const { to, text } = sent;
    const data = { id: 'm1', to: [{ phone_number: to, status: 'queued' }], text, parts: 1 };
    respond(received, 200, { data });
  });
  adapter = createTelnyxAdapter({ apiUrl: server.url, callTimeoutMs: 15_000 });
});

afterEach(async () => {
  await adapter.close();
  await server.close();
});

async function send(changes: Partial<SendRequest> = {}) {
  const outcome = await adapter.send(account, { ...request, ...changes }, () => true);
  expect(outcome).toMatchObject({ kind: 'accepted', message: { sid: 'm1', segments: 1 } });
  const [sent] = server.requests.slice(-1);
  return { head: sent, body: JSON.parse(sent?.body ?? '') as unknown };
}

test('a send has the API key, and its attempt’s status URL as the only webhook', async () => {
  const { head, body } = await send();
  expect(head).toMatchObject({ method: 'POST', path: '/v2/messages' });
  expect(head?.headers.get('authorization')).toBe('Bearer KEY01');
  expect(body).toEqual({
    to: '+15551234567',
    from: '+15557654321',
    text: 'Hello',
    webhook_url: STATUS_URL,
    use_profile_webhooks: false,
  });
});

test('a send names the messaging profile unless its sender is one of the account’s numbers', async () => {
  const { body } = await send({ from: null });
  expect(body).toMatchObject({ messaging_profile_id: PROFILE });
  expect(body).not.toHaveProperty('from');
  const named = await send({ from: 'Acme' });
  expect(named.body).toMatchObject({ from: 'Acme', messaging_profile_id: PROFILE });
});

test('media is sent by URL, without an empty text', async () => {
  const { body } = await send({ body: '', mediaUrls: ['https://x.example/cat.png'] });
  expect(body).toMatchObject({ media_urls: ['https://x.example/cat.png'] });
  expect(body).not.toHaveProperty('text');
});

test('a response for another recipient leaves the outcome unknown, and its connection is closed', async () => {
  server.onRequest = (received) =>
    respond(received, 200, { data: { id: 'm2', to: [{ phone_number: '+15550000000' }] } });
  const outcome = await adapter.send(account, request, () => true);
  expect(outcome).toMatchObject({ kind: 'unknown', isMismatched: true });
});

test('a profile with the webhook of another service keeps it, unless the owner entered the profile', async () => {
  const url = 'https://x.example/api/webhooks/telnyx/p/inbound';
  let current: string | null = 'https://other.example/hook';
  server.onRequest = (received) => {
    const { path, method, body } = received;
    if (path.startsWith('/v2/phone_numbers/messaging?')) {
      const number = { phone_number: '+15557654321', messaging_profile_id: PROFILE };
      return respond(received, 200, { data: [number] });
    }
    if (method === 'PATCH') current = (JSON.parse(body) as { webhook_url: string }).webhook_url;
    return respond(received, 200, { data: { webhook_url: current, webhook_api_version: '2' } });
  };
  const configure = (senderPool: string | null, number = '+15557654321') =>
    requirePart(adapter, 'configureInbound')({ ...account, senderPool }, number, url);
  expect(await configure(null, '+15550000000')).toBe('not_owned');
  expect(await configure(null)).toBe('manual');
  expect(current).toBe('https://other.example/hook');
  expect(await configure(PROFILE)).toBe('configured');
  expect(current).toBe(url);
  current = null;
  expect(await configure(null)).toBe('configured');
  expect(current).toBe(url);
});

test('a status callback names the message in its signed body and not in the URL of the request', () => {
  const payload = {
    id: 'm1',
    to: [{ phone_number: '+15551234567', status: 'delivered' }],
    webhook_url: STATUS_URL,
  };
  const signed = signTelnyxBody(account, formatTelnyxEvent('status', payload));
  const url = STATUS_URL.replace('000000000001', '000000000009');
  expect(
    requirePart(adapter, 'webhooks').readStatusCallback(account, { ...signed, url }),
  ).toMatchObject({
    kind: 'read',
    content: { messageId: request.messageId },
  });
});

test('a keyword that Telnyx has replied to is reported with the message, and media with their types', () => {
  const payload = {
    id: 'm1',
    from: { phone_number: '+15551234567' },
    to: [{ phone_number: '+15557654321' }],
    text: 'Arrêt',
    media: [{ url: 'https://media.example/1.png', content_type: 'image/png' }],
    autoresponse_type: 'STOP',
  };
  const signed = signTelnyxBody(account, formatTelnyxEvent('inbound', payload));
  expect(requirePart(adapter, 'webhooks').readInbound(account, signed)).toMatchObject({
    kind: 'read',
    content: {
      body: 'Arrêt',
      providerKeyword: 'opt_out',
      media: [{ url: 'https://media.example/1.png', content_type: 'image/png' }],
    },
  });
});

test('a signed event of a type that a path does not handle is ignored, but a forged event is not', () => {
  const payload = { id: 'm1', to: [{ phone_number: '+15551234567', status: 'delivered' }] };
  const received = signTelnyxBody(account, formatTelnyxEvent('inbound', payload));
  const status = signTelnyxBody(account, formatTelnyxEvent('status', payload));
  expect(requirePart(adapter, 'webhooks').readStatusCallback(account, received)).toEqual({
    kind: 'ignored',
    event: 'message.received',
  });
  expect(requirePart(adapter, 'webhooks').readInbound(account, status)).toEqual({
    kind: 'ignored',
    event: 'message.finalized',
  });
  const forged = { ...status, body: Buffer.concat([status.body, Buffer.from(' ')]) };
  expect(requirePart(adapter, 'webhooks').readInbound(account, forged)).toEqual({ kind: 'forged' });
});

test('an account is verified by its messaging profile if it has one, and by its API key otherwise', async () => {
  server.onRequest = (received) => {
    if (received.path === '/v2/public_key') {
      return respond(received, 200, { data: { public: account.vendorAccountId } });
    }
    if (received.path !== `/v2/messaging_profiles/${PROFILE}`) {
      return respond(received, 200, { data: [] });
    }
    return respond(received, 404, { errors: [{ code: '10005', title: 'Resource not found' }] });
  };
  expect(await adapter.verifyAccount({ ...account, senderPool: null })).toMatchObject({ ok: true });
  expect(await adapter.verifyAccount(account)).toMatchObject({
    ok: false,
    isRefused: false,
    detail: expect.stringContaining('no such messaging profile'),
  });
});

const other = createTelnyxAccount('KEY02').vendorAccountId;
const bytes = Buffer.from(account.vendorAccountId, 'base64');
const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes]);
const CHECKED = { ok: true, isRefused: false, isUnavailable: false };
const REFUSED = { ok: false, isRefused: true, isUnavailable: false };
const UNCHECKED = { ok: false, isRefused: false, isUnavailable: false };
const UNAVAILABLE = { ok: false, isRefused: false, isUnavailable: true };
const problem = (code: string, title: string) => ({ errors: [{ code, title }] });

test.each<[string, number, object, object, string]>([
  [
    'the same key',
    200,
    { data: { public: account.vendorAccountId } },
    CHECKED,
    'Telnyx accepts the API key',
  ],
  [
    'it with line ends',
    200,
    { data: { public: `\r\n${account.vendorAccountId}\n` } },
    CHECKED,
    'accepts',
  ],
  ['it in base64url', 200, { data: { public: bytes.toString('base64url') } }, CHECKED, 'accepts'],
  ['it in DER', 200, { data: { public: der.toString('base64') } }, CHECKED, 'accepts'],
  ['another key', 200, { data: { public: other } }, REFUSED, `whose public key is ${other}`],
  ['no key', 200, { data: { public: null } }, UNAVAILABLE, 'no public key'],
  ['a malformed key', 200, { data: { public: 'c2hvcnQ=' } }, UNAVAILABLE, 'no public key'],
  ['a 401', 401, problem('10009', 'Authentication failed'), REFUSED, '`public_key`'],
  [
    'a 403',
    403,
    problem('10010', 'Not authorized'),
    UNCHECKED,
    '`public_key` could not be checked',
  ],
  ['a 404', 404, problem('10005', 'Not found'), UNCHECKED, '`public_key` could not be checked'],
  ['a 429', 429, problem('10011', 'Too many requests'), UNAVAILABLE, 'unavailable'],
  ['a 500', 500, problem('10007', 'Unexpected error'), UNAVAILABLE, 'unavailable'],
])(
  'an account is verified only if Telnyx shows its public key for the API key, here %s',
  async (_case, status, body, expected, detail) => {
    server.onRequest = (received) =>
      received.path === '/v2/public_key'
        ? respond(received, status, body)
        : respond(received, 200, { data: [] });
    const check = await adapter.verifyAccount({ ...account, senderPool: null });
    expect(check).toMatchObject({ ...expected, detail: expect.stringContaining(detail) });
    expect(server.requests.at(-1)?.headers.get('authorization')).toBe('Bearer KEY01');
  },
);
