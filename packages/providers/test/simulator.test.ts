import type {
  ProviderAccount,
  ProviderAdapter,
  SendRequest,
  StatusCallback,
  WebhookRequest,
} from '@switchboard/core';
import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { createTwilioAdapter } from '../src/twilio/twilio-adapter.ts';
import { respond, type FaultServer, startFaultServer } from './fault-server.ts';
import { startSimulator } from './start-simulator.ts';
import { requirePart } from './require-part.ts';

const MESSAGE_ID = '0197a000-0000-7000-8000-000000000001';
const ACCOUNT: ProviderAccount = {
  vendorAccountId: `AC${'5e'.repeat(16)}`,
  secret: 'the first token seen',
  senderPool: `MG${'7'.repeat(32)}`,
};
const NUMBER = '+15005550006';

let simulator: Awaited<ReturnType<typeof startSimulator>>;
let receiver: FaultServer;
let adapter: ProviderAdapter;
const webhooks = () => requirePart(adapter, 'webhooks');
const findSent = (query: { to: string; from: string | null; since: Date }) =>
  requirePart(adapter, 'lookUp').findSent(ACCOUNT, { messageId: MESSAGE_ID, ...query });

beforeAll(async () => {
  simulator = await startSimulator();
  receiver = await startFaultServer((received) => respond(received, 200, ''));
  adapter = createTwilioAdapter({ apiUrl: simulator.url, callTimeoutMs: 20_000 });
});

afterAll(async () => {
  await adapter.close();
  await receiver.close();
  await simulator.close();
});

function send(changes: Partial<SendRequest>, by = adapter) {
  const request = {
    messageId: MESSAGE_ID,
    attempt: 1,
    to: '+15551230000',
    from: NUMBER,
    body: 'Hello',
    mediaUrls: [],
    statusUrl: `${receiver.url}/status?message=none`,
    ...changes,
  };
  return by.send(ACCOUNT, request, () => true);
}

test('a probe calls the send endpoint and creates no message', async () => {
  const readLedger = async () => (await fetch(`${simulator.url}/simulator/ledger`)).text();
  const before = await readLedger();
  expect(await adapter.probe(ACCOUNT)).toEqual({ kind: 'answered' });
  expect(await adapter.probe({ ...ACCOUNT, secret: 'another' })).toMatchObject({
    kind: 'refused',
  });
  expect(await readLedger()).toBe(before);
});

/** Reads a status callback with the adapter. */
function readStatus(webhook: WebhookRequest): StatusCallback {
  const outcome = webhooks().readStatusCallback(ACCOUNT, webhook);
  if (outcome.kind !== 'read') throw new Error(`the callback is ${outcome.kind}`);
  return outcome.content;
}

/** Returns the webhooks received on a path, as the API would see them. */
function webhooksTo(path: string): WebhookRequest[] {
  return receiver.requests
    .filter((received) => received.path === path)
    .map((received) => ({
      url: receiver.url + received.path,
      headers: Object.fromEntries(received.headers),
      body: Buffer.from(received.body, 'latin1'),
    }));
}

test('a message is accepted, and its signed callbacks report its final status', async () => {
  const messageId = '01a1f8f1-54f4-7000-b000-03e09a2e335c';
  const path = `/status?message=${messageId}&attempt=1`;
  const outcome = await send({
    body: 'Grüße 👋',
    mediaUrls: ['https://media.example/a.png'],
    statusUrl: receiver.url + path,
  });
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
  const { sid } = outcome.message;
  expect(outcome.message).toMatchObject({
    vendorAccountId: ACCOUNT.vendorAccountId,
    status: 'queued',
    to: '+15551230000',
    from: NUMBER,
    body: 'Grüße 👋',
    direction: 'outbound',
    createdAt: expect.any(Date),
  });

  await vi.waitFor(() => expect(webhooksTo(path)).toHaveLength(2), EVENTUALLY);
  for (const webhook of webhooksTo(path)) {
    expect(webhooks().hasSignature(webhook)).toBe(true);
    const forged = { kind: 'forged' };
    const other = { ...ACCOUNT, secret: 'another token' };
    expect(webhooks().readStatusCallback(other, webhook)).toEqual(forged);
    const elsewhere = { ...webhook, url: `${webhook.url}1` };
    expect(webhooks().readStatusCallback(ACCOUNT, elsewhere)).toEqual(forged);
    expect(webhooks().readStatusCallback({ ...ACCOUNT, vendorAccountId: 'AC1' }, webhook)).toEqual(
      forged,
    );
  }
  expect(webhooksTo(path).map(readStatus)).toMatchObject([
    { sid, messageId, vendorAccountId: ACCOUNT.vendorAccountId, status: 'sent' },
    { sid, vendorAccountId: ACCOUNT.vendorAccountId, status: 'delivered', errorCode: null },
  ]);
  expect(await requirePart(adapter, 'fetchMessage')(ACCOUNT, sid)).toMatchObject({
    kind: 'found',
    message: { sid, status: 'delivered' },
  });
});

test('a message sent through a messaging service gets its sender in a later callback', async () => {
  const path = '/status?message=service';
  const outcome = await send({ from: null, statusUrl: receiver.url + path });
  expect(outcome).toMatchObject({
    kind: 'accepted',
    message: { from: null, rawStatus: 'accepted', status: 'queued' },
  });
  await vi.waitFor(() => expect(webhooksTo(path)).not.toEqual([]), EVENTUALLY);
  const [first] = webhooksTo(path).map(readStatus);
  expect(first?.from).toMatch(/^\+/);
});

test('the callback of an undelivered message has an error code and a text', async () => {
  const path = '/status?message=undelivered';
  await send({ to: '+15005550012', statusUrl: receiver.url + path });
  await vi.waitFor(() => {
    const last = webhooksTo(path).at(-1);
    expect(last && readStatus(last)).toMatchObject({
      status: 'undelivered',
      errorCode: '30005',
      errorDetail: expect.stringMatching(/\S/),
    });
  }, EVENTUALLY);
});

describe('magic numbers', () => {
  test.each([
    [{ to: '+15005550001' }, '21211'],
    [{ to: '+15005550002' }, '21612'],
    [{ to: '+15005550003' }, '21408'],
    [{ to: '+15005550004' }, '21610'],
    [{ to: '+15005550009' }, '21614'],
    [{ from: '+15005550001' }, '21212'],
    [{ from: '+15005550007' }, '21606'],
  ])('a magic number in %j is rejected with the code %s', async (changes, code) => {
    expect(await send(changes)).toMatchObject({
      kind: 'rejected',
      code,
      detail: expect.stringMatching(/\S/),
      isOptOut: code === '21610',
    });
  });

  test("a sender's full queue and too many requests are throttled", async () => {
    const throttled = { kind: 'not_sent', reason: 'throttled' };
    expect(await send({ from: '+15005550008' })).toMatchObject({ ...throttled, code: '21611' });
    const to = '+15005550020';
    expect(await send({ to })).toMatchObject({ ...throttled, code: '20429' });
    expect(await send({ to })).toMatchObject(throttled);
    expect(await send({ to })).toMatchObject({ kind: 'accepted' });
  });

  test.each(['+15005550021', '+15005550022', '+15005550023'])(
    'a send to %s has an unknown outcome, and the lookup finds its one message',
    async (to) => {
      const since = new Date();
      // One of these responses never arrives.
      const shortTimeoutAdapter = createTwilioAdapter({
        apiUrl: simulator.url,
        callTimeoutMs: 1_000,
      });
      onTestFinished(() => shortTimeoutAdapter.close());
      expect(await send({ to }, shortTimeoutAdapter)).toMatchObject({ kind: 'unknown' });
      expect(await findSent({ to, from: NUMBER, since })).toMatchObject({
        kind: 'found',
        messages: [{ to, from: NUMBER, body: 'Hello', direction: 'outbound' }],
      });
    },
  );
});

test('a lookup reads several pages, newest message first', async () => {
  const to = '+15551239999';
  const since = new Date();
  const sids = new Set<string>();
  for (let batch = 0; batch < 21; batch += 1) {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => send({ to })));
    for (const outcome of outcomes) if (outcome.kind === 'accepted') sids.add(outcome.message.sid);
  }
  expect(sids.size).toBe(420);
  const found = await findSent({ to, from: null, since });
  if (found.kind !== 'found') throw new Error(found.detail);
  expect(new Set(found.messages.map(({ sid }) => sid))).toEqual(sids);
  const times = found.messages.map(({ createdAt }) => createdAt?.getTime() ?? 0);
  expect(times).toEqual([...times].sort((a, b) => b - a));
  const later = new Date(Date.now() + 60_000);
  expect(await findSent({ to, from: null, since: later })).toEqual({
    kind: 'found',
    messages: [],
  });
});

test('an account is verified by its token, and a wrong token sends nothing', async () => {
  expect(await adapter.verifyAccount(ACCOUNT)).toMatchObject({ ok: true });
  const wrong = { ...ACCOUNT, secret: 'a wrong token' };
  expect(await adapter.verifyAccount(wrong)).toMatchObject({ ok: false });
  expect(
    await adapter.send(
      wrong,
      {
        messageId: 'x',
        attempt: 1,
        to: '+15551230000',
        from: NUMBER,
        body: 'Hello',
        mediaUrls: [],
        statusUrl: receiver.url,
      },
      () => true,
    ),
  ).toMatchObject({ kind: 'not_sent', reason: 'credentials', code: '20003' });
});

test('an unknown message is reported as missing', async () => {
  const outcome = await requirePart(adapter, 'fetchMessage')(ACCOUNT, `SM${'f'.repeat(32)}`);
  expect(outcome).toEqual({ kind: 'missing' });
});

/** Sets an SMS application, for which Twilio ignores the URL of the number. */
async function setSmsApplication(number: string, SmsApplicationSid: string): Promise<void> {
  const list = `${simulator.url}/2010-04-01/Accounts/${ACCOUNT.vendorAccountId}/IncomingPhoneNumbers`;
  const headers = {
    authorization: `Basic ${btoa(`${ACCOUNT.vendorAccountId}:${ACCOUNT.secret}`)}`,
  };
  const listed = await fetch(`${list}.json?PhoneNumber=${encodeURIComponent(number)}`, { headers });
  const [owned] = ((await listed.json()) as { incoming_phone_numbers: { sid: string }[] })
    .incoming_phone_numbers;
  const body = new URLSearchParams({ SmsApplicationSid });
  const updated = await fetch(`${list}/${owned?.sid ?? ''}.json`, {
    method: 'POST',
    headers,
    body,
  });
  expect(await updated.json()).toMatchObject({ sms_application_sid: SmsApplicationSid });
}

test('a number with inbound configured, even if it had an SMS application, delivers its inbound messages with a signature', async () => {
  const path = '/inbound';
  await setSmsApplication(NUMBER, `AP${'a'.repeat(32)}`);
  expect(await requirePart(adapter, 'configureInbound')(ACCOUNT, NUMBER, receiver.url + path)).toBe(
    'configured',
  );
  const stranger = { ...ACCOUNT, vendorAccountId: `AC${'0'.repeat(32)}` };
  expect(await requirePart(adapter, 'configureInbound')(stranger, NUMBER, receiver.url)).toBe(
    'not_owned',
  );

  await fetch(`${simulator.url}/simulator/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      to: NUMBER,
      from: '+15551234567',
      body: 'Stop & go 👋',
      media_urls: ['https://media.example/b.png'],
    }),
  });
  const [webhook] = webhooksTo(path);
  if (webhook === undefined) throw new Error('no inbound message arrived');
  const inbound = webhooks().readInbound(ACCOUNT, webhook);
  if (inbound.kind !== 'read') throw new Error(`the webhook is ${inbound.kind}`);
  expect(inbound.content).toMatchObject({
    vendorAccountId: ACCOUNT.vendorAccountId,
    to: NUMBER,
    from: '+15551234567',
    body: 'Stop & go 👋',
    media: [{ url: 'https://media.example/b.png', content_type: expect.stringMatching(/\//) }],
  });
});
