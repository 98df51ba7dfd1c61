import { expect, test } from 'vitest';
import { readLedger, setBehaviour } from './start-simulator.ts';
import { startJsonReceiver, startVendors } from './start-vendors.ts';

const TO = '+14155550100';
const FROM = '+14155550123';

test('the official Telnyx client sends a message, reads it and verifies its webhooks', async () => {
  const vendors = await startVendors();
  const receiver = await startJsonReceiver();
  const { client, credentials } = await vendors.createTelnyx();
  const webhook_url = `${receiver.url}/status?message=m1&attempt=1`;
  const { data } = await client.messages.send({ to: TO, from: FROM, text: 'Hello', webhook_url });
  expect(data).toMatchObject({ direction: 'outbound', text: 'Hello', parts: 1, webhook_url });

  await receiver.waitFor(2);
  const events = await Promise.all(
    receiver.received.map(({ body, headers }) =>
      client.webhooks.unwrap(body, { headers: headers as Record<string, string> }),
    ),
  );
  expect(events).toMatchObject([
    { data: { event_type: 'message.sent', payload: { id: data?.id, to: [{ status: 'sent' }] } } },
    {
      data: {
        event_type: 'message.finalized',
        payload: {
          id: data?.id,
          to: [{ phone_number: TO, status: 'delivered' }],
          cost: { amount: '0.0040', currency: 'USD' },
          webhook_url,
        },
      },
    },
  ]);
  const read = await client.messages.retrieve(data?.id ?? '');
  expect(read.data).toMatchObject({ id: data?.id, to: [{ status: 'delivered' }] });
  expect(await readLedger(vendors.url)).toMatchObject([
    { sid: data?.id, provider: 'telnyx', account_sid: credentials['public_key'], to: TO },
  ]);
});

test('a Telnyx message to a magic number is refused or fails with Telnyx’s own code', async () => {
  const vendors = await startVendors();
  const receiver = await startJsonReceiver();
  const { client } = await vendors.createTelnyx();
  const send = (to: string) =>
    client.messages.send({ to, from: FROM, text: 'Hello', webhook_url: receiver.url });
  await expect(send('+15005550004')).rejects.toMatchObject({
    status: 400,
    error: { errors: [{ code: '40300' }] },
  });
  await expect(send('')).rejects.toMatchObject({ status: 422 });
  await send('+15005550010');
  await receiver.waitFor(2);
  expect(receiver.received.at(-1)?.content).toMatchObject({
    data: { payload: { to: [{ status: 'delivery_failed' }], errors: [{ code: '40008' }] } },
  });
});

test('messages to a Telnyx number are posted to the webhook of its messaging profile', async () => {
  const vendors = await startVendors();
  const receiver = await startJsonReceiver((nth) => (nth === 1 ? 500 : 200));
  const { client, credentials } = await vendors.createTelnyx();
  const profileId = credentials['messaging_profile_id'] ?? '';
  const owned = await client.phoneNumbers.messaging.list({ 'filter[phone_number]': FROM });
  expect(owned.data).toMatchObject([{ phone_number: FROM, messaging_profile_id: profileId }]);
  await client.messagingProfiles.update(profileId, { webhook_url: `${receiver.url}/inbound` });

  const sent = await vendors.control('POST', 'inbound', { to: FROM, from: TO, body: 'Hi' });
  expect(sent).toMatchObject({ status: 200, body: { status: 200, attempts: 2 } });
  const [, second] = receiver.received;
  const event = await client.webhooks.unwrap(second?.body ?? '', {
    headers: second?.headers as Record<string, string>,
  });
  expect(event).toMatchObject({
    data: {
      event_type: 'message.received',
      payload: {
        id: sent.body['sid'],
        text: 'Hi',
        from: { phone_number: TO },
        to: [{ phone_number: FROM }],
      },
    },
  });
});

test('the official Telnyx client reads all pages of the numbers of an account', async () => {
  const { client, credentials } = await (await startVendors()).createTelnyx();
  const numbers = Array.from({ length: 23 }, (_, n) => `+141555501${n + 10}`);
  for (const number of [...numbers, '+18005550123']) {
    await client.phoneNumbers.messaging.list({ 'filter[phone_number]': number });
  }
  const listed = [];
  for await (const each of client.phoneNumbers.messaging.list()) listed.push(each);
  expect(listed.map(({ phone_number: number }) => number)).toEqual([...numbers, '+18005550123']);
  expect(listed.at(-1)).toMatchObject({
    type: 'tollfree',
    messaging_profile_id: credentials['messaging_profile_id'],
    features: { sms: { domestic_two_way: true } },
  });
});

test('a fault of one simulated provider does not affect the others, and its closed port opens again', async () => {
  const vendors = await startVendors();
  const { client } = await vendors.createTelnyx();
  const send = () => client.messages.send({ to: TO, from: FROM, text: 'Hello' });
  await setBehaviour(vendors.url, { provider: 'telnyx', refuse_connections: 1 });
  await expect(send()).rejects.toMatchObject({ cause: { cause: { code: 'ECONNREFUSED' } } });
  expect((await fetch(`${vendors.urls.vonage}/v1/messages`, { method: 'POST' })).status).toBe(401);
  await setBehaviour(vendors.url, { provider: 'telnyx', refuse_connections: 0, reject_429: 1 });
  await expect(send()).rejects.toMatchObject({ status: 429 });
  const { body } = await vendors.control('GET', 'behaviour?provider=vonage');
  expect(body).toMatchObject({ reject_429: 0, refuse_connections: 0 });
  const wrong = await setBehaviour(vendors.url, { provider: 'pigeon' });
  expect(wrong.status).toBe(400);
});

test('accounts, ports and the closed state of a port survive a restart of the simulator', async () => {
  const first = await startVendors();
  const { credentials } = await first.createTelnyx();
  await setBehaviour(first.url, { provider: 'vonage', refuse_connections: 1 });
  await first.close();
  const second = await startVendors(first);
  expect(second.urls).toEqual(first.urls);
  const known = { credentials: { api_key: credentials['api_key'] } };
  expect(await second.createAccount('telnyx', known)).toEqual(credentials);
  await expect(fetch(`${second.urls.vonage}/v1/messages`)).rejects.toThrow();
});

test('the public key of a Telnyx account is shown for its API key', async () => {
  const vendors = await startVendors();
  const accounts = await Promise.all([vendors.createTelnyx(), vendors.createTelnyx()]);
  for (const { client, credentials } of accounts) {
    expect(await client.get('/public_key')).toMatchObject({
      data: { record_type: 'public_key', public: credentials['public_key'] },
    });
  }
});
