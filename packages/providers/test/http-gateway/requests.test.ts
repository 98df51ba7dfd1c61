import { LOOPBACK_NETWORKS, type ProviderAdapter, type SendRequest } from '@switchboard/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGatewayExchange } from '../../src/http-gateway/gateway-exchange.ts';
import { createHttpGatewayAdapter } from '../../src/http-gateway/http-gateway-adapter.ts';
import { createAddressRule } from '../../src/http/public-address.ts';
import { respond, type FaultServer, startFaultServer } from '../fault-server.ts';
import {
  AUTHORIZATION,
  DESCRIPTION,
  createGatewayAccount,
  moveAccount,
} from './gateway-account.ts';

const LOOPBACK = createAddressRule(LOOPBACK_NETWORKS);
const MESSAGE_ID = '0197a000-0000-7000-8000-000000000001';
const request: SendRequest = {
  messageId: MESSAGE_ID,
  attempt: 1,
  to: '+15551234567',
  from: '+15557654321',
  body: 'Hello',
  mediaUrls: [],
  statusUrl: `https://x.example/api/webhooks/http/p/status?message=${MESSAGE_ID}&attempt=1`,
};
/** Ends a string, a header, a parameter, a path and JSON, if it is not escaped. */
const HOSTILE = '"},{\r\nX-Evil: 1\r\n\r\n&to=+1900{{to}}%0a\\u0022#?/../\u{1F600}é\0';

let server: FaultServer;
let adapter: ProviderAdapter;

beforeEach(async () => {
  server = await startFaultServer((received) => respond(received, 202, { id: 'gateway-1' }));
  adapter = createHttpGatewayAdapter({
    apiUrl: null,
    callTimeoutMs: 15_000,
    isAllowedAddress: LOOPBACK,
  });
});

afterEach(async () => {
  await adapter.close();
  await server.close();
});

async function send(template: object, message: Partial<SendRequest> = {}, changes: object = {}) {
  const account = createGatewayAccount({ send: { ...DESCRIPTION.send, ...template }, ...changes });
  const outcome = await adapter.send(
    moveAccount(account, server.url),
    { ...request, ...message },
    () => true,
  );
  const [received] = server.requests;
  return { outcome, received };
}

const decode = (text = '') => Buffer.from(text, 'latin1').toString();

test('a message is sent as the template describes, with its headers', async () => {
  const { outcome, received } = await send({});
  expect(outcome).toMatchObject({
    kind: 'accepted',
    message: { sid: 'gateway-1', status: 'queued' },
  });
  expect(received).toMatchObject({ method: 'POST', path: '/message' });
  expect(received?.headers.get('authorization')).toBe(AUTHORIZATION);
  expect(JSON.parse(received?.body ?? '')).toEqual({
    to: request.to,
    text: 'Hello',
    callback: expect.stringMatching(/^https:\/\/x\.example\/.*&token=[\w-]{43}$/),
    channel: 'sms',
  });
});

test('no message text breaks out of its JSON string', async () => {
  const { received } = await send({}, { body: HOSTILE });
  expect(JSON.parse(decode(received?.body))).toEqual({
    to: request.to,
    text: HOSTILE,
    callback: expect.any(String),
    channel: 'sms',
  });
});

test('no message text breaks out of its form field', async () => {
  const { received } = await send(
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: 'to={{to}}&text={{body}}&user=me',
    },
    { body: HOSTILE },
  );
  expect([...new URLSearchParams(received?.body)]).toEqual([
    ['to', request.to],
    ['text', HOSTILE],
    ['user', 'me'],
  ]);
});

test('no message text breaks out of its query parameter', async () => {
  const { received } = await send(
    {
      method: 'GET',
      url: 'http://127.0.0.1:9/send/{{to}}?text={{body}}&user=me',
      headers: {},
      body: null,
    },
    { body: HOSTILE },
  );
  const url = new URL(received?.path ?? '', 'http://x.example');
  expect(url.pathname).toBe('/send/%2B15551234567');
  expect([...url.searchParams]).toEqual([
    ['text', HOSTILE],
    ['user', 'me'],
  ]);
});

test('no message text adds a header or ends one', async () => {
  const { received } = await send(
    { url: 'http://127.0.0.1:9/?to={{to}}', headers: { 'X-Text': 'text={{body}}' }, body: null },
    { body: HOSTILE },
  );
  expect(received?.headers.get('x-evil')).toBeUndefined();
  expect(received?.headers.get('x-text')).toBe(
    `text=${HOSTILE.replaceAll(/[^\x20-\x7e]/gu, encodeURIComponent)}`,
  );
  expect(received?.body).toBe('');
});

test('without `accepted.id_path`, the id of the message identifies it', async () => {
  server.onRequest = (received) => respond(received, 202, '');
  const { outcome } = await send({}, {}, { accepted: { statuses: [202] } });
  expect(outcome).toMatchObject({ kind: 'accepted', message: { sid: MESSAGE_ID } });
});

test.each([
  ['without an identifier', 202, '{"state":"Pending"}'],
  ['with an identifier that is not one text', 202, '{"id":["gateway-1"]}'],
  ['with a status that is not in `accepted`', 200, '{"id":"gateway-1"}'],
])('a response %s leaves the outcome unknown', async (_case, status, body) => {
  server.onRequest = (received) => respond(received, status, body);
  expect((await send({})).outcome).toMatchObject({ kind: 'unknown' });
});

test('a refusal is recognized by its status alone if the account has no path to a code', async () => {
  server.onRequest = (received) => respond(received, 400, '{"message":"Invalid number"}');
  const refused = { statuses: [400], detail_path: 'message' };
  expect((await send({}, {}, { refused })).outcome).toEqual({
    kind: 'rejected',
    code: 'http_400',
    detail: 'Invalid number',
    isOptOut: false,
  });
});

test('a status that the owner has not listed as a refusal leaves the outcome unknown', async () => {
  server.onRequest = (received) => respond(received, 400, '{"code":"bad_number"}');
  for (const refused of [null, { statuses: [422], code_path: 'code' }]) {
    expect((await send({}, {}, { refused })).outcome).toMatchObject({ kind: 'unknown' });
  }
});

test('a message with media, or without the sender that the template needs, is left to another account', async () => {
  const media = await send({}, { mediaUrls: ['https://x.example/1.png'] });
  expect(media.outcome).toMatchObject({ code: 'media_not_supported', isAccountOnly: true });
  const body = '{"to":"{{to}}","from":"{{from}}","text":"{{body}}"}';
  const sender = await send({ body }, { from: null });
  expect(sender.outcome).toMatchObject({ code: 'no_sender', isAccountOnly: true });
  expect(server.requests).toEqual([]);
});

test('no request goes to an address outside the public internet and the networks of the operator', async () => {
  const account = moveAccount(createGatewayAccount(), server.url);
  const strict = createHttpGatewayAdapter({ apiUrl: null, callTimeoutMs: 15_000 });
  const detail = expect.stringContaining('is not a public internet address');
  expect(await strict.send(account, request, () => true)).toMatchObject({
    kind: 'not_sent',
    reason: 'unreachable',
    detail,
  });
  expect(await strict.probe(account)).toMatchObject({ kind: 'failed', detail });
  expect(await strict.verifyAccount(account)).toMatchObject({ ok: false, isUnavailable: true });
  expect(server.connections).toBe(0);
  await strict.close();
});

test('a host name whose address changes to a private one gets no connection', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2'];
  const { exchange, close } = createGatewayExchange({
    apiUrl: null,
    callTimeoutMs: 15_000,
    isAllowedAddress: (address) => address === '127.0.0.1',
    lookup: async () => [{ address: addresses.shift() ?? '', family: 4 }],
  });
  const { port } = new URL(server.url);
  const get = () =>
    exchange(`http://phone.example:${port}`, {
      method: 'GET',
      path: '/',
      headers: { connection: 'close' },
      body: null,
    });
  expect(await get()).toMatchObject({ kind: 'answered' });
  expect(await get()).toMatchObject({
    kind: 'not_written',
    detail: expect.stringContaining('does not resolve to a public internet address'),
  });
  expect(server.connections).toBe(1);
  await close();
});

test.each([
  [200, 'answered'],
  [400, 'answered'],
  [405, 'answered'],
  [501, 'answered'],
  [302, 'failed'],
  [408, 'failed'],
  [502, 'failed'],
])('a probe that is answered with %i has the outcome %s', async (status, kind) => {
  server.onRequest = (received) => respond(received, status, '');
  const account = moveAccount(createGatewayAccount({ refused: null }), server.url);
  expect(await adapter.probe(account)).toMatchObject({ kind });
  expect(await adapter.verifyAccount(account)).toMatchObject({ ok: kind === 'answered' });
});

test('a check of the account requests the methods of the URL, which sends nothing', async () => {
  server.onRequest = (received) => respond(received, 405, '');
  const template = { url: 'http://127.0.0.1:9/send/{{to}}?text={{body}}' };
  const account = moveAccount(
    createGatewayAccount({ send: { ...DESCRIPTION.send, ...template } }),
    server.url,
  );
  expect(await adapter.verifyAccount(account)).toMatchObject({ ok: true });
  expect(await adapter.probe(account)).toEqual({ kind: 'answered' });
  for (const received of server.requests) {
    expect(received).toMatchObject({ method: 'OPTIONS', path: '/send/', body: '' });
    expect(received.headers.get('authorization')).toBe(AUTHORIZATION);
    expect(received.headers.has('content-type')).toBe(false);
  }
});
