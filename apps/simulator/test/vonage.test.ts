import { createHash } from 'node:crypto';
import { Auth } from '@vonage/auth';
import { verifySignature } from '@vonage/jwt';
import { Vonage } from '@vonage/server-sdk';
import { expect, test } from 'vitest';
import { readLedger, setBehaviour } from './start-simulator.ts';
import { type ReceivedJson, startJsonReceiver, startVendors } from './start-vendors.ts';

const TO = '447700900001';
const FROM = '447700900000';

/** Returns the claims of a webhook's token after the official package has verified its signature. */
function readClaims({ headers }: ReceivedJson, secret = ''): Record<string, unknown> {
  const token = headers.authorization?.replace('Bearer ', '') ?? '';
  expect(verifySignature(token, secret)).toBe(true);
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return JSON.parse(claims) as Record<string, unknown>;
}

test('the official Vonage client sends a message, and its signed status webhooks contain the reference', async () => {
  const vendors = await startVendors();
  const receiver = await startJsonReceiver();
  const { client, credentials } = await vendors.createVonage();
  const { messageUUID } = await client.messages.send({
    channel: 'sms',
    messageType: 'text',
    text: 'Hello',
    to: TO,
    from: FROM,
    clientRef: 'm1',
    webhookUrl: receiver.url,
    webhookVersion: 'v1',
  });
  await receiver.waitFor(2);
  expect(receiver.received.map(({ content }) => content)).toMatchObject([
    { status: 'submitted', client_ref: 'm1', message_uuid: messageUUID, to: TO, from: FROM },
    { status: 'delivered', client_ref: 'm1', usage: { currency: 'EUR', price: '0.0333' } },
  ]);
  for (const webhook of receiver.received) {
    expect(readClaims(webhook, credentials['signature_secret'])).toMatchObject({
      application_id: credentials['application_id'],
      payload_hash: createHash('sha256').update(webhook.body).digest('hex'),
    });
  }
  expect(await readLedger(vendors.url)).toMatchObject([
    {
      sid: messageUUID,
      provider: 'vonage',
      account_sid: credentials['application_id'],
      to: `+${TO}`,
    },
  ]);
});

test('the official Vonage client lists the numbers of the account and shows its application', async () => {
  const vendors = await startVendors();
  const none = await vendors.createVonage();
  expect(await none.client.numbers.getOwnedNumbers()).toEqual({});
  const inboundUrl = 'https://x.example/inbound';
  const { client, credentials } = await vendors.createVonage({
    inbound_url: inboundUrl,
    number: `+${FROM}`,
  });
  const { application_id: id = '' } = credentials;
  expect(await client.numbers.getOwnedNumbers({ index: 1, size: 100 })).toMatchObject({
    count: 1,
    numbers: [{ msisdn: FROM, messagesCallbackType: 'app', messagesCallbackValue: id }],
  });
  expect(await client.applications.getApplication(id)).toMatchObject({
    id,
    capabilities: { messages: { webhooks: { inboundUrl: { address: inboundUrl } } } },
  });
  await expect(none.client.applications.getApplication(id)).rejects.toThrow();
  const auth = new Auth({ apiKey: credentials['api_key'] ?? '', apiSecret: 'wrong' });
  const impostor = new Vonage(auth, {
    apiHost: vendors.urls.vonage,
    restHost: vendors.urls.vonage,
  });
  await expect(impostor.numbers.getOwnedNumbers()).rejects.toThrow();
  await expect(impostor.applications.getApplication(id)).rejects.toThrow();
});

test('a request to Vonage without the signature of a known application is refused', async () => {
  const vendors = await startVendors();
  const { client, credentials } = await vendors.createVonage();
  const other = await vendors.createVonage();
  const impostor = new Vonage(
    new Auth({
      applicationId: credentials['application_id'] ?? '',
      privateKey: other.credentials['private_key'] ?? '',
    }),
    { apiHost: vendors.urls.vonage },
  );
  const message = { channel: 'sms', messageType: 'text', text: 'Hi', to: '', from: FROM };
  await expect(client.messages.send(message)).rejects.toMatchObject({
    response: expect.objectContaining({ status: 422 }),
  });
  await expect(impostor.messages.send({ ...message, to: TO })).rejects.toMatchObject({
    response: expect.objectContaining({ status: 401 }),
  });
  const answer = await fetch(`${vendors.urls.vonage}/v1/messages`, {
    method: 'POST',
    headers: { authorization: 'Bearer a.b.c', 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({
    type: 'https://developer.vonage.com/api-errors#unauthorized',
  });
});

test('a number that has sent for an application receives messages for it', async () => {
  const vendors = await startVendors();
  const receiver = await startJsonReceiver();
  const { client, credentials } = await vendors.createVonage({ inbound_url: receiver.url });
  const message = { channel: 'sms', messageType: 'text', text: 'Hi', to: TO, from: FROM };
  await client.messages.send(message);
  const inbound = { to: `+${FROM}`, from: `+${TO}`, body: 'Hello' };
  expect(await vendors.control('POST', 'inbound', inbound)).toMatchObject({
    body: { status: 200, attempts: 1 },
  });
  expect(receiver.received).toMatchObject([
    { content: { channel: 'sms', message_type: 'text', text: 'Hello', to: FROM, from: TO } },
  ]);
  const claims = receiver.received.map((each) => readClaims(each, credentials['signature_secret']));
  expect(claims).toMatchObject([{ iss: 'Vonage' }]);
});

test('a message that Vonage has accepted is in the ledger even if the response was lost or has no identifier', async () => {
  const vendors = await startVendors();
  const { client } = await vendors.createVonage();
  await setBehaviour(vendors.url, { provider: 'vonage', accept_then_500: 1 });
  const message = { channel: 'sms', messageType: 'text', text: 'Hi', to: TO, from: FROM };
  await expect(client.messages.send(message)).rejects.toThrow();
  expect(await readLedger(vendors.url)).toHaveLength(1);
  await setBehaviour(vendors.url, { provider: 'vonage', accept_then_500: 0, mismatched_201: 1 });
  expect(await client.messages.send(message)).toEqual({ messageUUID: undefined });
  expect(await readLedger(vendors.url)).toHaveLength(2);
});
