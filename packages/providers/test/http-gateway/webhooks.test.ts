import { createHash, createHmac } from 'node:crypto';
import type { ProviderAccount, WebhookRequest } from '@switchboard/core';
import { signGatewayBody } from '@switchboard/testing/webhooks';
import { expect, test } from 'vitest';
import { readInbound, readStatusCallback } from '../../src/http-gateway/read-webhook.ts';
import { DESCRIPTION, SECRET, createGatewayAccount } from './gateway-account.ts';

const MESSAGE_ID = '0197a000-0000-7000-8000-000000000001';
const OTHER_ID = '0197a000-0000-7000-8000-000000000002';
const STATUS = { id: 'gateway-1', status: 'DELIVERED' };
const INBOUND = { id: 'gateway-2', from: '+15551234567', to: '+15557654321', text: 'Hi' };

const inboundOf = (account: ProviderAccount, fields: object) =>
  readInbound(account, signGatewayBody(account, JSON.stringify(fields)));

const withHeaders = (request: WebhookRequest, headers: object): WebhookRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

test.each([
  ['hexadecimal', 'hex', ''],
  ['hexadecimal after its algorithm', 'hex', 'sha256='],
  ['base64', 'base64', ''],
] as const)('a signature in %s is accepted', (_form, encoding, prefix) => {
  const account = createGatewayAccount();
  const request = signGatewayBody(account, JSON.stringify(INBOUND));
  const signature = createHmac('sha256', SECRET).update(request.body).digest(encoding);
  const signed = withHeaders(request, { 'x-signature': prefix + signature });
  expect(readInbound(account, signed)).toMatchObject({ kind: 'read' });
});

test('a time that the gateway signs follows the body, and is at most five minutes off', () => {
  const signing = { ...DESCRIPTION.signing, timestamp_header: 'X-Timestamp' };
  const account = createGatewayAccount({ signing });
  const body = JSON.stringify(INBOUND);
  const kindAt = (at: number, changes: object = {}) => {
    const timestamp = String(Math.floor(at / 1_000));
    const signature = createHmac('sha256', SECRET)
      .update(body + timestamp)
      .digest('hex');
    const headers = { 'x-signature': signature, 'x-timestamp': timestamp, ...changes };
    return readInbound(account, withHeaders(signGatewayBody(account, body), headers)).kind;
  };
  const now = Date.now();
  expect(kindAt(now)).toBe('read');
  expect(kindAt(now - 290_000)).toBe('read');
  expect(kindAt(now - 310_000)).toBe('forged');
  expect(kindAt(now + 310_000)).toBe('forged');
  expect(kindAt(now, { 'x-timestamp': String(Math.floor(now / 1_000) - 1) })).toBe('forged');
  expect(kindAt(now, { 'x-timestamp': undefined })).toBe('forged');
  expect(readInbound(account, signGatewayBody(account, body)).kind).toBe('forged');
});

test('a signed form is parsed like a signed object', () => {
  const account = createGatewayAccount();
  const body = new URLSearchParams(INBOUND).toString();
  const request = withHeaders(signGatewayBody(account, body), {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
  });
  expect(readInbound(account, request)).toMatchObject({
    kind: 'read',
    content: { sid: 'gateway-2', from: INBOUND.from, body: 'Hi' },
  });
});

test('a signed status on a URL that the service did not create does not count', () => {
  const account = createGatewayAccount();
  const url = `https://x.example/status?message=${OTHER_ID}&attempt=1`;
  for (const forged of [url, `${url}&token=`, `${url}&token=${'a'.repeat(43)}`]) {
    expect(
      readStatusCallback(account, signGatewayBody(account, JSON.stringify(STATUS), forged)),
    ).toMatchObject({
      kind: 'read',
      content: { messageId: null, sid: 'gateway-1' },
    });
  }
});

test('a status with our id as the gateway’s identifier names the message', () => {
  const body = '{"id":"{{id}}","to":"{{to}}","text":"{{body}}"}';
  const own = createGatewayAccount({ send: { ...DESCRIPTION.send, body } });
  const status = JSON.stringify({ ...STATUS, id: MESSAGE_ID });
  expect(readStatusCallback(own, signGatewayBody(own, status))).toMatchObject({
    content: { messageId: MESSAGE_ID, sid: MESSAGE_ID, status: 'delivered' },
  });
  // The template of this account sends no id to the gateway, so the identifier is the gateway's
  // own.
  const other = createGatewayAccount();
  expect(readStatusCallback(other, signGatewayBody(other, status))).toMatchObject({
    content: { messageId: null, sid: MESSAGE_ID },
  });
});

test('paths lead into objects and lists, but not to inherited properties', () => {
  const account = createGatewayAccount({
    inbound_webhook: {
      id_path: 'payload.messages.0.id',
      from_path: 'payload.messages.0.from',
      to_path: 'payload.device.number',
      body_path: 'payload.messages.0.text',
    },
  });
  const payload = { messages: [{ ...INBOUND, id: 7 }], device: { number: INBOUND.to } };
  expect(inboundOf(account, { payload })).toMatchObject({ content: { sid: '7', body: 'Hi' } });
  const inherited = createGatewayAccount({
    inbound_webhook: { ...DESCRIPTION.inbound_webhook, id_path: 'parts.__proto__.length' },
  });
  expect(inboundOf(inherited, { ...INBOUND, parts: [] })).toMatchObject({
    kind: 'invalid',
    error: { code: 'missing_params', message: expect.stringContaining('`parts.__proto__.length`') },
  });
});

test('a repeated message is recognized by the hash of its body if the account has no path to an identifier', () => {
  const { id_path: _none, ...paths } = DESCRIPTION.inbound_webhook;
  const account = createGatewayAccount({ inbound_webhook: paths });
  const sid = createHash('sha256').update(JSON.stringify(INBOUND)).digest('hex');
  expect(inboundOf(account, INBOUND)).toMatchObject({ content: { sid } });
});

test.each([
  ['+15557654321', '(555) 123-4567', '+15551234567'],
  ['+447700900000', '07700 900123', '+447700900123'],
  ['+15557654321', '+447700900123', '+447700900123'],
  ['+15557654321', '85501', '85501'],
  ['+15557654321', 'AMAZON', 'AMAZON'],
])('a message to %s from the sender %s is from %s', (to, from, expected) => {
  const account = createGatewayAccount();
  expect(inboundOf(account, { ...INBOUND, to, from })).toMatchObject({
    content: { to, from: expected },
  });
});

test('the number of the account is used if the webhook contains none', () => {
  const account = createGatewayAccount({
    inbound_webhook: { ...DESCRIPTION.inbound_webhook, to: '+447700900000' },
  });
  const { to: _none, ...fields } = { ...INBOUND, from: '07700900123' };
  for (const received of [fields, { ...fields, to: null }]) {
    expect(inboundOf(account, received)).toMatchObject({
      content: { to: '+447700900000', from: '+447700900123' },
    });
  }
  expect(inboundOf(account, { ...fields, to: '+447700900001' })).toMatchObject({
    content: { to: '+447700900001' },
  });
});

test('an account without a signature accepts no webhooks', () => {
  const none = createGatewayAccount({ status_webhook: null, inbound_webhook: null, signing: null });
  const unsigned = signGatewayBody(none, JSON.stringify(INBOUND));
  expect(readInbound(none, unsigned)).toEqual({ kind: 'forged' });
});
