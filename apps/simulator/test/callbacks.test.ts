import twilio from 'twilio';
import { expect, test } from 'vitest';
import { startReceiver } from './start-receiver.ts';
import { FROM, startSimulator } from './start-simulator.ts';

const TO = '+15551230001';

test("each status change except the one to sending sends a signed status callback with Twilio's fields, in order", async () => {
  const { client, accountSid, token } = await startSimulator();
  const receiver = await startReceiver();
  const path = '/status?message=a&attempt=1';
  const statusCallback = `${receiver.url}${path}#rc=5&rp=all`;
  const { sid } = await client.messages.create({ to: TO, from: FROM, body: 'x', statusCallback });
  await receiver.waitFor(2);

  expect(receiver.statuses()).toEqual(['sent', 'delivered']);
  for (const webhook of receiver.received) {
    expect(webhook).toMatchObject({ method: 'POST', path });
    expect(webhook.headers).toMatchObject({
      'user-agent': 'TwilioProxy/1.1',
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
    });
    expect(webhook.form).toMatchObject({
      AccountSid: accountSid,
      ApiVersion: '2010-04-01',
      From: FROM,
      MessageSid: sid,
      SmsSid: sid,
      SmsStatus: webhook.form['MessageStatus'],
      To: TO,
    });
    const signature = String(webhook.headers['x-twilio-signature']);
    const url = `${receiver.url}${path}`;
    expect(twilio.validateRequest(token, signature, url, webhook.form)).toBe(true);
    expect(twilio.validateRequest('another', signature, url, webhook.form)).toBe(false);
  }
  const [sent, delivered] = receiver.received;
  expect(sent?.form['RawDlrDoneDate']).toBeUndefined();
  expect(delivered?.form['RawDlrDoneDate']).toMatch(/^\d{10}$/);
  const tokenOf = (webhook: typeof sent) => webhook?.headers['i-twilio-idempotency-token'];
  expect(tokenOf(sent)).toMatch(/^[0-9a-f-]{36}$/);
  expect(tokenOf(sent)).not.toBe(tokenOf(delivered));
});

test('the status callback of an undelivered message contains its error', async () => {
  const { client } = await startSimulator();
  const receiver = await startReceiver();
  await client.messages.create({
    to: '+15005550011',
    from: FROM,
    body: 'x',
    statusCallback: receiver.url,
  });
  await receiver.waitFor(2);
  expect(receiver.received[1]?.form).toMatchObject({
    MessageStatus: 'undelivered',
    ErrorCode: '30003',
    ErrorMessage: 'Unreachable destination handset',
  });
});

test('a message of a messaging service sends a callback for queued that names the service', async () => {
  const { client } = await startSimulator();
  const receiver = await startReceiver();
  const messagingServiceSid = `MG${'b'.repeat(32)}`;
  await client.messages.create({
    to: TO,
    messagingServiceSid,
    body: 'x',
    statusCallback: receiver.url,
  });
  await receiver.waitFor(3);
  expect(receiver.statuses()).toEqual(['queued', 'sent', 'delivered']);
  expect(receiver.received[0]?.form).toMatchObject({
    MessagingServiceSid: messagingServiceSid,
    From: FROM,
  });
});

test('a failed callback is retried as its URL fragment configures, before the next one is sent', async () => {
  const { client } = await startSimulator();
  const receiver = await startReceiver((_webhook, nth) => ({ status: nth <= 2 ? 503 : 200 }));
  const statusCallback = `${receiver.url}/#rc=5&rp=all`;
  await client.messages.create({ to: TO, from: FROM, body: 'x', statusCallback });
  await receiver.waitFor(4);
  expect(receiver.statuses()).toEqual(['sent', 'sent', 'sent', 'delivered']);
  const [first, second, third] = receiver.received;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(95);
  expect((third?.at ?? 0) - (second?.at ?? 0)).toBeGreaterThanOrEqual(195);
  const tokens = receiver.received.map(({ headers }) => headers['i-twilio-idempotency-token']);
  expect(new Set(tokens.slice(0, 3)).size).toBe(1);
});

test('a callback is retried at most as often as its retry count', async () => {
  const { client } = await startSimulator();
  const receiver = await startReceiver(() => ({ status: 500 }));
  const statusCallback = `${receiver.url}/#rc=1&rp=5xx`;
  await client.messages.create({ to: TO, from: FROM, body: 'x', statusCallback });
  await receiver.waitFor(4);
  expect(receiver.statuses()).toEqual(['sent', 'sent', 'delivered', 'delivered']);
});

test.each([
  ['no policy', '', 500],
  ['a policy for other failures', '#rc=5&rp=4xx', 500],
  ['a policy for other failures', '#rc=5&rp=5xx,ct,rt', 404],
])(
  'a callback that receives an error response is not retried with %s',
  async (_name, fragment, status) => {
    const { client } = await startSimulator();
    const receiver = await startReceiver(() => ({ status }));
    const statusCallback = `${receiver.url}/${fragment}`;
    await client.messages.create({ to: TO, from: FROM, body: 'x', statusCallback });
    await receiver.waitFor(2);
    expect(receiver.statuses()).toEqual(['sent', 'delivered']);
  },
);

test('a callback is retried by default when its connection breaks', async () => {
  const { client } = await startSimulator();
  const receiver = await startReceiver((_webhook, nth) => (nth === 1 ? 'reset' : {}));
  await client.messages.create({ to: TO, from: FROM, body: 'x', statusCallback: receiver.url });
  await receiver.waitFor(3);
  expect(receiver.statuses()).toEqual(['sent', 'sent', 'delivered']);
});

test('a callback is retried after a read timeout', async () => {
  const { client } = await startSimulator();
  const receiver = await startReceiver((_webhook, nth) => (nth === 1 ? 'hang' : {}));
  const statusCallback = `${receiver.url}/#rc=1&rp=rt&rt=2000`;
  await client.messages.create({ to: TO, from: FROM, body: 'x', statusCallback });
  await receiver.waitFor(3);
  expect(receiver.statuses()).toEqual(['sent', 'sent', 'delivered']);
});

test('a canceled message sends a status callback', async () => {
  const { client } = await startSimulator();
  const receiver = await startReceiver();
  const { sid } = await client.messages.create({
    to: TO,
    messagingServiceSid: `MG${'b'.repeat(32)}`,
    body: 'x',
    scheduleType: 'fixed',
    sendAt: new Date(Date.now() + 3_600_000),
    statusCallback: receiver.url,
  });
  await client.messages(sid).update({ status: 'canceled' });
  await receiver.waitFor(1);
  expect(receiver.statuses()).toEqual(['canceled']);
});
