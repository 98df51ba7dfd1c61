import type { ProviderAccount } from '@switchboard/core';
import { signGatewayBody } from '@switchboard/testing/webhooks';
import { describe, expect, test } from 'vitest';
import { readInbound, readStatusCallback } from '../../src/http-gateway/read-webhook.ts';
import { DESCRIPTION, createGatewayAccount } from './gateway-account.ts';

const inboundOf = (account: ProviderAccount, event: unknown) =>
  readInbound(account, signGatewayBody(account, JSON.stringify(event)));
const statusOf = (account: ProviderAccount, event: unknown) =>
  readStatusCallback(account, signGatewayBody(account, JSON.stringify(event)));
const sidOf = (account: ProviderAccount, event: unknown) => {
  const outcome = inboundOf(account, event);
  return outcome.kind === 'read' ? outcome.content.sid : outcome.kind;
};

const FROM = '+447700900123';
const TO = '+15557654321';
const INBOUND = { id: 'm-1', from: FROM, to: TO, text: 'Hi' };
const { inbound_webhook: PATHS } = DESCRIPTION;

describe('values that are absent', () => {
  test.each<[path: string, event: object]>([
    ['text', { ...INBOUND, text: undefined }],
    ['text', { ...INBOUND, text: null }],
    ['text', { ...INBOUND, text: { body: 'Hi' } }],
    ['text', { ...INBOUND, text: ['Hi'] }],
    ['from', { ...INBOUND, from: undefined }],
    ['from', { ...INBOUND, from: '' }],
    ['from', { ...INBOUND, from: { number: FROM } }],
    ['to', { ...INBOUND, to: null }],
    ['id', { ...INBOUND, id: null }],
    ['id', { ...INBOUND, id: {} }],
  ])('a received message without a text at the path `%s` is invalid: %j', (path, event) => {
    expect(inboundOf(createGatewayAccount(), event)).toMatchObject({
      kind: 'invalid',
      error: {
        code: expect.stringMatching(/^(missing|invalid)_params$/),
        message: expect.stringContaining(`\`${path}\``),
      },
    });
  });

  test.each<[path: string, event: object]>([
    ['id', { status: 'SENT' }],
    ['status', { id: 'g-1' }],
    ['status', { id: 'g-1', status: ['SENT'] }],
  ])('a status without a text at the path `%s` is invalid: %j', (path, event) => {
    expect(statusOf(createGatewayAccount(), event)).toMatchObject({
      kind: 'invalid',
      error: { message: expect.stringContaining(`\`${path}\``) },
    });
  });

  test('an error for a list of paths names each of them', () => {
    const paths = { ...PATHS, from_path: ['payload.sender', 'payload.phoneNumber'] };
    const account = createGatewayAccount({ inbound_webhook: paths });
    expect(inboundOf(account, { ...INBOUND, from: undefined })).toMatchObject({
      error: { message: expect.stringContaining('`payload.sender` or `payload.phoneNumber`') },
    });
  });

  test.each([
    ['""', ''],
    ['1234', '1234'],
    ['12345678901234567890', '12345678901234567890'],
  ])('an empty text and a number in JSON are texts of messages: %s', (text, body) => {
    const json = JSON.stringify({ ...INBOUND, text: '?' }).replace('"?"', text);
    const account = createGatewayAccount();
    expect(readInbound(account, signGatewayBody(account, json))).toMatchObject({
      content: { body },
    });
  });
});

test.each([
  ['{"id":9007199254740993,"status":"SENT"}', '9007199254740993'],
  ['\uFEFF{"id":18446744073709551615,"status":"SENT"}', '18446744073709551615'],
])('the identifier in the webhook %s is kept digit for digit', (body, sid) => {
  const account = createGatewayAccount();
  const signed = signGatewayBody(account, body);
  expect(readStatusCallback(account, signed)).toMatchObject({ content: { sid, status: 'sent' } });
});

test('a status carries the error code and the words of the gateway, and neither 0 nor words about a success are an error', () => {
  const paths = { code_path: ['error.code', 'err'], detail_path: 'reason' };
  const account = createGatewayAccount({
    status_webhook: { ...DESCRIPTION.status_webhook, ...paths },
  });
  const status = { id: 'g-1', status: 'FAILED' };
  expect(
    statusOf(account, { ...status, err: 'RESULT_ERROR_NO_SERVICE', reason: 'No service' }),
  ).toMatchObject({
    content: {
      status: 'failed',
      errorCode: 'RESULT_ERROR_NO_SERVICE',
      errorDetail: 'No service',
    },
  });
  expect(statusOf(account, { ...status, error: { code: 21 } })).toMatchObject({
    content: { errorCode: '21', errorDetail: null },
  });
  expect(statusOf(account, { ...status, status: 'DELIVERED', err: '000' })).toMatchObject({
    content: { status: 'delivered', errorCode: null },
  });
  // As Infobip reports a delivery.
  expect(
    statusOf(account, { ...status, status: 'DELIVERED', err: 0, reason: 'No Error' }),
  ).toMatchObject({
    content: { status: 'delivered', errorCode: null, errorDetail: null },
  });
  expect(statusOf(account, { ...status, reason: 'Absent subscriber' })).toMatchObject({
    content: { status: 'failed', errorCode: null, errorDetail: 'Absent subscriber' },
  });
});

describe('SMS Gateway for Android', () => {
  const account = createGatewayAccount({
    status_webhook: {
      id_path: 'payload.messageId',
      status_path: 'event',
      map: { 'sms:sent': 'sent', 'sms:delivered': 'delivered', 'sms:failed': 'failed' },
      detail_path: 'payload.reason',
    },
    inbound_webhook: {
      id_path: 'id',
      identity_paths: [
        ['payload.sender', 'payload.phoneNumber'],
        'payload.receivedAt',
        'payload.message',
      ],
      from_path: ['payload.sender', 'payload.phoneNumber'],
      to_path: 'payload.recipient',
      to: TO,
      body_path: 'payload.message',
      event_path: 'event',
      events: ['sms:received'],
    },
  });
  const received = (id: string, payload: object = {}) => ({
    deviceId: 'd',
    event: 'sms:received',
    id,
    payload: {
      messageId: '83be51e4',
      message: 'TACHO status:0',
      phoneNumber: FROM,
      simNumber: 1,
      receivedAt: '2026-01-19T21:11:52+01:00',
      ...payload,
    },
    webhookId: 'w',
  });
  const event = (name: string, payload: object) => ({ event: name, id: 'e', payload });

  test('a message of an app before and after February 2026 is read with its sender', () => {
    for (const payload of [
      {},
      { sender: FROM, recipient: null },
      { sender: FROM, recipient: TO },
    ]) {
      expect(inboundOf(account, received('e', payload))).toMatchObject({
        kind: 'read',
        content: { from: FROM, to: TO, body: 'TACHO status:0' },
      });
    }
  });

  // https://github.com/capcom6/android-sms-gateway/issues/310, …/372, …/394
  test('one SMS that the app reports twice is one message, and the same text later is another', () => {
    const first = sidOf(account, received('xs-fiN26jLEONA899qe-a'));
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(sidOf(account, received('az75fdnE6t9aQY7nRVVXy'))).toBe(first);
    const others = [
      { receivedAt: '2026-01-19T21:11:53+01:00' },
      { phoneNumber: '+447700900124' },
      { message: 'TACHO status:1' },
    ].map((payload) => sidOf(account, received('az75fdnE6t9aQY7nRVVXy', payload)));
    expect(new Set([first, ...others]).size).toBe(4);
  });

  test('without a part of its identity, the id of the event identifies a message', () => {
    expect(sidOf(account, received('e-1', { receivedAt: null }))).toBe('e-1');
  });

  test('a failed message keeps its reason', () => {
    const failed = event('sms:failed', {
      messageId: 'g-1',
      sender: TO,
      recipient: FROM,
      reason: 'RESULT_ERROR_GENERIC_FAILURE',
    });
    expect(statusOf(account, failed)).toMatchObject({
      content: { status: 'failed', errorDetail: 'RESULT_ERROR_GENERIC_FAILURE' },
    });
  });

  test.each([
    ['system:ping', { health: { status: 'pass' } }],
    ['mms:received', { messageId: 'x', sender: FROM, recipient: TO, subject: 'Hi', size: 100 }],
    ['sms:data-received', { messageId: 'x', sender: FROM, recipient: TO, data: 'SGk=' }],
    ['sms:sent', { messageId: 'g-1', sender: TO, recipient: FROM, partsCount: 1 }],
  ])('the event %s is ignored among received messages', (name, payload) => {
    expect(inboundOf(account, event(name, payload))).toEqual({ kind: 'ignored', event: name });
  });

  test('a ping and a received message are ignored among statuses, where the message is read as one', () => {
    const ping = event('system:ping', { health: { status: 'pass' } });
    expect(statusOf(account, ping)).toEqual({ kind: 'ignored', event: 'system:ping' });
    expect(statusOf(account, received('e'))).toEqual({ kind: 'ignored', event: 'sms:received' });
  });

  test('a received message without its text is invalid, because its event is the expected one', () => {
    expect(inboundOf(account, received('e', { message: null }))).toMatchObject({
      kind: 'invalid',
      error: { message: expect.stringContaining('`payload.message`') },
    });
  });
});

// https://github.com/textbee/textbee/issues/159: api/src/webhook/webhook.service.ts
describe('textbee', () => {
  const account = createGatewayAccount({
    status_webhook: {
      id_path: 'smsBatchId',
      status_path: 'webhookEvent',
      map: { MESSAGE_SENT: 'sent', MESSAGE_DELIVERED: 'delivered', MESSAGE_FAILED: 'failed' },
      code_path: 'errorCode',
      detail_path: 'errorMessage',
    },
    inbound_webhook: {
      id_path: 'smsId',
      identity_paths: ['sender', 'receivedAt', 'message'],
      from_path: 'sender',
      to: TO,
      body_path: 'message',
    },
  });
  const shared = { smsId: '692437f882033f160900ff70', message: 'Test', deviceId: 'd' };
  const received = {
    ...shared,
    webhookEvent: 'MESSAGE_RECEIVED',
    sender: FROM,
    receivedAt: '2025-11-24T10:48:20.000Z',
  };
  const failed = {
    ...shared,
    webhookEvent: 'MESSAGE_FAILED',
    smsBatchId: 'b-1',
    status: 'failed',
    recipient: FROM,
    errorCode: 'NO_SERVICE',
    errorMessage: 'No service',
  };

  test('one webhook URL takes all events, and each is read as its kind', () => {
    expect(inboundOf(account, received)).toMatchObject({ content: { from: FROM, body: 'Test' } });
    expect(statusOf(account, received)).toMatchObject({ kind: 'ignored' });
    expect(inboundOf(account, failed)).toMatchObject({ kind: 'ignored' });
    expect(statusOf(account, failed)).toMatchObject({
      content: { sid: 'b-1', status: 'failed', errorCode: 'NO_SERVICE', errorDetail: 'No service' },
    });
  });

  test('one SMS under two identifiers is one message', () => {
    const twice = { ...received, smsId: '692437f982033f160900ff90' };
    expect(sidOf(account, twice)).toBe(sidOf(account, received));
  });
});

test('identity paths without a value and without a path to an identifier are refused by name', () => {
  const { id_path: _none, ...paths } = PATHS;
  const account = createGatewayAccount({
    inbound_webhook: { ...paths, identity_paths: ['from', ['at', 'date'], 'text'] },
  });
  expect(inboundOf(account, INBOUND)).toMatchObject({
    kind: 'invalid',
    error: { message: expect.stringContaining('`at` or `date`') },
  });
  expect(sidOf(account, { ...INBOUND, date: 1 })).toBe(
    sidOf(account, { ...INBOUND, date: '1', id: 2 }),
  );
});

test('an event of a kind that an account does not describe is ignored, and its signature still counts', () => {
  const account = createGatewayAccount({ status_webhook: null });
  const status = signGatewayBody(account, JSON.stringify({ id: 'g-1', status: 'SENT' }));
  expect(readStatusCallback(account, status)).toEqual({ kind: 'ignored', event: 'unknown' });
  expect(readStatusCallback(account, { ...status, body: Buffer.from('{"id":"g-2"}') })).toEqual({
    kind: 'forged',
  });
});

test('a body that fits both kinds is of the kind of its URL', () => {
  const account = createGatewayAccount();
  const both = { ...INBOUND, status: 'DELIVERED' };
  expect(inboundOf(account, both)).toMatchObject({ kind: 'read', content: { body: 'Hi' } });
  expect(statusOf(account, both)).toMatchObject({ kind: 'read', content: { status: 'delivered' } });
});
