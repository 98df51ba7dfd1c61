import twilio from 'twilio';
import { expect, test } from 'vitest';
import { startReceiver } from './start-receiver.ts';
import { setBehaviour, readInboundLedger, startSimulator } from './start-simulator.ts';

const NUMBER = '+15557770001';
const HANDSET = '+15551230001';

async function startWithNumber(smsUrl: string, smsMethod = 'POST') {
  const started = await startSimulator();
  const [number] = await started.client.incomingPhoneNumbers.list({ phoneNumber: NUMBER });
  await started.client.incomingPhoneNumbers(number?.sid ?? '').update({ smsUrl, smsMethod });
  async function receive(message: unknown) {
    const answer = await fetch(`${started.url}/simulator/inbound`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    });
    return { code: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }
  return { ...started, receive };
}

const XML = 'text/xml';

test("an inbound message is posted to the number's SmsUrl, signed, with Twilio's fields", async () => {
  const receiver = await startReceiver(() => ({ type: XML, body: '<Response></Response>' }));
  const smsUrl = `${receiver.url}/inbound?workspace=w`;
  const { client, receive, accountSid, token } = await startWithNumber(smsUrl);
  const { body } = await receive({
    to: NUMBER,
    from: HANDSET,
    body: 'Hé & =',
    media_urls: ['https://example.com/a.png'],
  });
  expect(body).toMatchObject({ status: 200, attempts: 1, error: null, replies: [] });
  const [webhook] = receiver.received;
  expect(webhook).toMatchObject({ method: 'POST', path: '/inbound?workspace=w' });
  expect(webhook?.form).toEqual({
    AccountSid: accountSid,
    ApiVersion: '2010-04-01',
    Body: 'Hé & =',
    From: HANDSET,
    MediaContentType0: 'image/png',
    MediaUrl0: 'https://example.com/a.png',
    MessageSid: body['sid'],
    NumMedia: '1',
    NumSegments: '1',
    SmsMessageSid: body['sid'],
    SmsSid: body['sid'],
    SmsStatus: 'received',
    To: NUMBER,
  });
  const signature = String(webhook?.headers['x-twilio-signature']);
  expect(twilio.validateRequest(token, signature, smsUrl, webhook?.form ?? {})).toBe(true);

  const message = await client.messages(String(body['sid'])).fetch();
  expect(message).toMatchObject({ direction: 'inbound', status: 'received', numMedia: '1' });
  expect(message.sid).toMatch(/^MM/);
});

test('a number with SmsMethod GET receives the message in a signed query', async () => {
  const receiver = await startReceiver();
  const { receive, token } = await startWithNumber(`${receiver.url}/in?a=b`, 'GET');
  await receive({ to: NUMBER, from: HANDSET, body: 'x' });
  const [webhook] = receiver.received;
  expect(webhook?.method).toBe('GET');
  expect(webhook?.path).toMatch(/^\/in\?a=b&.*Body=x/);
  const signature = String(webhook?.headers['x-twilio-signature']);
  expect(twilio.validateRequest(token, signature, `${receiver.url}${webhook?.path}`, {})).toBe(
    true,
  );
});

test('an inbound webhook that fails with 5xx is not retried unless its URL configures retries', async () => {
  const receiver = await startReceiver(() => ({ status: 500 }));
  const { receive } = await startWithNumber(receiver.url);
  const { body } = await receive({ to: NUMBER, from: HANDSET, body: 'x' });
  expect(body).toMatchObject({ status: 500, attempts: 1 });
});

test('an inbound webhook without connection overrides is retried once after a connection failure', async () => {
  const receiver = await startReceiver(() => 'reset');
  const { receive } = await startWithNumber(receiver.url);
  const { body } = await receive({ to: NUMBER, from: HANDSET, body: 'x' });
  expect(body).toMatchObject({ status: null, attempts: 2 });
});

test('an inbound webhook with rc and rp in its fragment is retried with the same identifiers', async () => {
  const receiver = await startReceiver((_webhook, nth) => ({ status: nth === 1 ? 500 : 200 }));
  const { receive } = await startWithNumber(`${receiver.url}/#rc=5&rp=all`);
  const { body } = await receive({ to: NUMBER, from: HANDSET, body: 'x' });
  expect(body).toMatchObject({ status: 200, attempts: 2 });
  expect(receiver.received.map(({ form }) => form['MessageSid'])).toEqual([
    body['sid'],
    body['sid'],
  ]);
});

test('a refused inbound webhook is reported with its status and not retried', async () => {
  const receiver = await startReceiver(() => ({ status: 403 }));
  const { receive } = await startWithNumber(receiver.url);
  const { code, body } = await receive({ to: NUMBER, from: HANDSET, body: 'x' });
  expect([code, body['status'], body['attempts']]).toEqual([200, 403, 1]);
});

test('an unreachable inbound webhook is reported with an error and without a status', async () => {
  const { receive } = await startWithNumber('http://127.0.0.1:9/#rc=0');
  const { body } = await receive({ to: NUMBER, from: HANDSET, body: 'x' });
  expect(body).toMatchObject({ status: null, attempts: 1 });
  expect(body['error']).toBeTruthy();
});

test('the inbound ledger lists each message once with its delivery, and survives a restart', async () => {
  const receiver = await startReceiver((_webhook, nth) => ({ status: nth === 1 ? 503 : 200 }));
  const { receive, url, close, ...kept } = await startWithNumber(receiver.url);
  const lost = await receive({ to: NUMBER, from: HANDSET, body: 'one' });
  const stored = await receive({ to: NUMBER, from: HANDSET, body: 'two' });
  const expected = [
    { sid: lost.body['sid'], body: 'one', delivered: false },
    { sid: stored.body['sid'], body: 'two', delivered: true },
  ].map((line) => ({
    ...line,
    provider: 'twilio',
    account_sid: kept.accountSid,
    to: NUMBER,
    from: HANDSET,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
  }));
  expect(await readInboundLedger(url)).toEqual(expected);
  await close();

  const again = await startSimulator(kept);
  expect(await readInboundLedger(again.url)).toEqual(expected);
  await fetch(`${again.url}/simulator/ledger`, { method: 'DELETE' });
  expect(await readInboundLedger(again.url)).toEqual([]);
});

test('TwiML messages in the response of an inbound webhook are sent as replies', async () => {
  const twiml = new twilio.twiml.MessagingResponse();
  twiml.message('Thanks & bye');
  const receiver = await startReceiver(() => ({ type: XML, body: twiml.toString() }));
  const { client, receive } = await startWithNumber(receiver.url);
  const { body } = await receive({ to: NUMBER, from: HANDSET, body: 'x' });
  const [sid] = body['replies'] as string[];
  expect(await client.messages(sid ?? '').fetch()).toMatchObject({
    direction: 'outbound-reply',
    from: NUMBER,
    to: HANDSET,
    body: 'Thanks & bye',
  });
});

test('an inbound message to an unknown number or one without an SmsUrl is refused with 404', async () => {
  const { receive } = await startWithNumber('');
  expect(await receive({ to: NUMBER, from: HANDSET, body: 'x' })).toMatchObject({
    code: 404,
    body: { error: 'not_found' },
  });
  expect((await receive({ to: '+15557770002', from: HANDSET, body: 'x' })).code).toBe(404);
});

test('a number with an SMS application ignores its SmsUrl until the application is removed', async () => {
  const receiver = await startReceiver(() => ({ type: XML, body: '<Response></Response>' }));
  const { client, receive } = await startWithNumber(receiver.url);
  const [number] = await client.incomingPhoneNumbers.list({ phoneNumber: NUMBER });
  const one = client.incomingPhoneNumbers(number?.sid ?? '');
  const smsApplicationSid = `AP${'a'.repeat(32)}`;
  expect(await one.update({ smsApplicationSid })).toMatchObject({
    smsApplicationSid,
    smsUrl: receiver.url,
  });
  const { body } = await receive({ to: NUMBER, from: HANDSET, body: 'elsewhere' });
  expect(body).toMatchObject({ status: null, attempts: 0, error: 'sms_application' });
  expect(receiver.received).toEqual([]);
  expect(await client.messages(String(body['sid'])).fetch()).toMatchObject({ status: 'received' });

  await one.update({ smsApplicationSid: '' });
  await receive({ to: NUMBER, from: HANDSET, body: 'here' });
  expect(receiver.received).toMatchObject([{ form: { Body: 'here' } }]);
});

test('an SmsApplicationSid in the wrong format is refused with 22108', async () => {
  const { client } = await startWithNumber('');
  const [number] = await client.incomingPhoneNumbers.list({ phoneNumber: NUMBER });
  const one = client.incomingPhoneNumbers(number?.sid ?? '');
  await expect(one.update({ smsApplicationSid: 'AP1' })).rejects.toMatchObject({
    status: 400,
    code: 22108,
  });
});

test.each([
  ['to', { to: 'x', from: HANDSET, body: 'x' }],
  ['from', { to: NUMBER, body: 'x' }],
  ['body', { to: NUMBER, from: HANDSET }],
  ['media_urls', { to: NUMBER, from: HANDSET, body: 'x', media_urls: ['x'] }],
  ['received_ago_ms', { to: NUMBER, from: HANDSET, body: 'x', received_ago_ms: -1 }],
])(
  'an inbound message with an invalid %s is refused with 400 that names the field',
  async (field, message) => {
    const { receive } = await startWithNumber('');
    const { code, body } = await receive(message);
    expect(code).toBe(400);
    expect(body['detail']).toContain(field);
  },
);

test('the simulator serves a picture for inbound media', async () => {
  const { url } = await startSimulator();
  const answer = await fetch(`${url}/simulator/media/cat.png`);
  expect(answer.headers.get('content-type')).toBe('image/png');
  expect(
    Buffer.from(await answer.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
});

test('the official client pages through the inbound messages to a number since a given time, newest first', async () => {
  const { client, receive, url } = await startWithNumber('http://127.0.0.1:9/');
  await setBehaviour(url, { inbound_drop: 1 });
  const agoMs = [86_400_000 * 3, 60_000, 7_200_000, 0, 3_600_000];
  const sids: unknown[] = [];
  for (const received_ago_ms of agoMs) {
    const { body } = await receive({ to: NUMBER, from: HANDSET, body: 'x', received_ago_ms });
    expect(body).toMatchObject({ status: null, attempts: 0 });
    sids.push(body['sid']);
  }
  const dateSentAfter = new Date(Date.now() - 86_400_000);
  const listed = await client.messages.list({ to: NUMBER, dateSentAfter, pageSize: 2 });
  expect(listed.map(({ sid }) => sid)).toEqual([sids[3], sids[1], sids[4], sids[2]]);
  for (const { direction, status, dateCreated, dateSent } of listed) {
    expect({ direction, status }).toEqual({ direction: 'inbound', status: 'received' });
    expect(dateSent).toEqual(dateCreated);
  }
  const first = await client.messages.page({ to: NUMBER, pageSize: 2 });
  const second = await client.messages.getPage(first.nextPageUrl ?? '');
  expect(second.instances.map(({ sid }) => sid)).toEqual([sids[4], sids[2]]);
});
