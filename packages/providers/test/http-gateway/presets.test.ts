import { signGatewayBody } from '@switchboard/testing/webhooks';
import { expect, test } from 'vitest';
import { createHttpGatewayAdapter } from '../../src/http-gateway/http-gateway-adapter.ts';
import { GATEWAY_PRESETS } from '../../src/http-gateway/presets.ts';

const VALUES = {
  address: 'https://gateway.example.com/',
  username: 'user',
  password: 'password',
  api_key: 'key',
  device_id: 'device',
  signing_key: 'a signing key',
  signing_secret: 'a signing secret of twenty',
  phone_number: '+15557654321',
};

/** Creates the account that the dashboard would add with a preset. */
function openPreset(name: string) {
  const adapter = createHttpGatewayAdapter({ apiUrl: null, callTimeoutMs: 1_000 });
  const preset = GATEWAY_PRESETS.find((each) => each.name === name);
  const { webhooks } = adapter;
  if (webhooks === null || preset === undefined) throw new Error(`no preset ${name}`);
  // The owner replaces the ellipsis.
  const examples = preset.fields.map((field) => ('initial' in field ? field.initial : undefined));
  const description = examples.find(Boolean)?.toString().replace('…', 'token');
  const credentials = preset.toCredentials({ ...VALUES, description });
  const { account } = adapter.readCredentials(credentials ?? {});
  const sign = (event: object) => {
    const now = String(Math.floor(Date.now() / 1_000));
    const body = JSON.stringify(event);
    // SMS Gateway for Android signs the time after the body.
    const isTimed = account.secret.includes('x-timestamp');
    const { headers } = signGatewayBody(account, isTimed ? body + now : body);
    return {
      ...signGatewayBody(account, body),
      headers: { ...headers, ...(isTimed && { 'x-timestamp': now }) },
    };
  };
  return {
    status: (event: object) => webhooks.readStatusCallback(account, sign(event)),
    inbound: (event: object) => webhooks.readInbound(account, sign(event)),
  };
}

test.each(GATEWAY_PRESETS.map(({ name }) => name))(
  'the service accepts the configuration of the form for %s',
  (name) => {
    expect(() => openPreset(name)).not.toThrow();
  },
);

test('the form for SMS Gateway for Android reads its messages of all versions, its failures and its pings', () => {
  const { status, inbound } = openPreset('SMS Gateway for Android');
  const payload = { message: 'Hi', receivedAt: '2026-01-19T21:11:52+01:00', messageId: 'm' };
  const old = {
    event: 'sms:received',
    id: '1',
    payload: { ...payload, phoneNumber: '+15551234567' },
  };
  const sender = { ...payload, sender: '+15551234567', recipient: null };
  const content = { from: '+15551234567', to: VALUES.phone_number, body: 'Hi' };
  expect(inbound(old)).toMatchObject({ content });
  expect(inbound({ ...old, id: '2', payload: sender })).toEqual(inbound(old));
  const failed = { messageId: 'm-1', reason: 'RESULT_ERROR_NO_SERVICE' };
  expect(status({ event: 'sms:failed', id: '3', payload: failed })).toMatchObject({
    content: { sid: 'm-1', status: 'failed', errorCode: failed.reason, errorDetail: failed.reason },
  });
  const ping = { event: 'system:ping', id: '4', payload: { health: {} } };
  expect([status(ping).kind, inbound(ping).kind]).toEqual(['ignored', 'ignored']);
});

test('the form for textbee reads its messages, statuses and errors', () => {
  const { status, inbound } = openPreset('textbee');
  const shared = { smsId: 's-1', message: 'Hi', idempotencyKey: 'k' };
  const at = { sender: '+15551234567', receivedAt: '2026-11-24T10:48:20.000Z' };
  expect(inbound({ ...shared, webhookEvent: 'MESSAGE_RECEIVED', ...at })).toMatchObject({
    content: { from: at.sender, to: VALUES.phone_number, body: 'Hi' },
  });
  const failed = { smsBatchId: 'b-1', errorCode: 'NO_SERVICE', errorMessage: 'No service' };
  expect(status({ ...shared, webhookEvent: 'MESSAGE_FAILED', ...failed })).toMatchObject({
    content: { sid: 'b-1', status: 'failed', errorCode: 'NO_SERVICE', errorDetail: 'No service' },
  });
});
