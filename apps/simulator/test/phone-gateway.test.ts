import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { readLedger, setBehaviour } from './start-simulator.ts';
import { startJsonReceiver, startVendors } from './start-vendors.ts';

const TO = '+14155550123';
const OWN = '+15557654321';

/** Starts a phone with a gateway, whose webhooks go to a receiver. */
async function startPhone() {
  const vendors = await startVendors();
  const receiver = await startJsonReceiver();
  const credentials = await vendors.createAccount('http', { number: OWN });
  const { username, password, signing_key: key = '' } = credentials;
  const call = async (path: string, body: object, login = `${username}:${password}`) => {
    const answer = await fetch(`${vendors.urls.http}/3rdparty/v1/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(login).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  for (const event of ['sms:sent', 'sms:delivered', 'sms:failed', 'sms:received']) {
    expect(await call('webhooks', { url: receiver.url, event })).toMatchObject({ status: 201 });
  }
  const send = (to = TO, more: object = {}) =>
    call('messages', { textMessage: { text: 'Hello' }, phoneNumbers: [to], ...more });
  return { ...vendors, receiver, call, send, key, username };
}

test('a phone gateway sends a message and signs the body and the time of its webhooks', async () => {
  const phone = await startPhone();
  const { status, body } = await phone.send(TO, { id: 'our-id' });
  expect([status, body]).toMatchObject([202, { id: 'our-id', state: 'Pending' }]);
  await phone.receiver.waitFor(2);
  expect(phone.receiver.received.map(({ content }) => content)).toMatchObject([
    { event: 'sms:sent', payload: { messageId: 'our-id', recipient: TO } },
    { event: 'sms:delivered', payload: { messageId: 'our-id' } },
  ]);
  for (const { headers, body: signed } of phone.receiver.received) {
    const timestamp = String(headers['x-timestamp']);
    expect(headers['x-signature']).toBe(
      createHmac('sha256', phone.key)
        .update(signed + timestamp)
        .digest('hex'),
    );
  }
  expect(await readLedger(phone.url)).toMatchObject([
    { sid: 'our-id', provider: 'http', account_sid: phone.username, to: TO, body: 'Hello' },
  ]);
});

test('a phone gateway refuses a wrong password, an invalid number and an id that it already has', async () => {
  const phone = await startPhone();
  const wrong = await phone.call('messages', {}, `${phone.username}:wrong`);
  expect(wrong).toMatchObject({ status: 401, body: { message: 'Unauthorized' } });
  expect(await phone.send('+15005550001')).toMatchObject({ status: 400 });
  expect(await phone.send(TO, { id: 'a' })).toMatchObject({ status: 202 });
  expect(await phone.send(TO, { id: 'a' })).toMatchObject({ status: 409 });
  expect(await readLedger(phone.url)).toHaveLength(1);
});

test('a phone gateway reports a received message and one that it could not send', async () => {
  const phone = await startPhone();
  const received = await phone.control('POST', 'inbound', { to: OWN, from: TO, body: 'Hi' });
  expect(received).toMatchObject({ body: { status: 200 } });
  await phone.send('+15005550010');
  await phone.receiver.waitFor(3);
  expect(phone.receiver.received.map(({ content }) => content)).toMatchObject([
    { event: 'sms:received', payload: { message: 'Hi', sender: TO, recipient: OWN } },
    { event: 'sms:sent' },
    { event: 'sms:failed' },
  ]);
});

test('a fault of phone gateways does not affect other providers and closes only the gateways’ port', async () => {
  const phone = await startPhone();
  await setBehaviour(phone.url, { provider: 'http', reject_429: 1 });
  expect(await phone.send()).toMatchObject({ status: 429 });
  await setBehaviour(phone.url, { provider: 'http', reject_429: 0, refuse_connections: 1 });
  await expect(phone.send()).rejects.toThrow('fetch failed');
  expect((await fetch(`${phone.urls.telnyx}/v2/messages`, { method: 'POST' })).status).toBe(401);
  await setBehaviour(phone.url, { provider: 'http', refuse_connections: 0 });
  expect(await phone.send()).toMatchObject({ status: 202 });
});
