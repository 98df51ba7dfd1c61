import type {
  ProviderAccount,
  ProviderAdapter,
  SendRequest,
  SignedRequest,
} from '@switchboard/core';
import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { createTwilioAdapter } from '../src/index.ts';
import { answer, type FaultServer, startFaultServer } from './fault-server.ts';
import { startSimulator } from './start-simulator.ts';

const ACCOUNT: ProviderAccount = {
  accountSid: `AC${'5e'.repeat(16)}`,
  authToken: 'the first token seen',
  messagingServiceSid: `MG${'7'.repeat(32)}`,
};
const NUMBER = '+15005550006';

let simulator: Awaited<ReturnType<typeof startSimulator>>;
let receiver: FaultServer;
let adapter: ProviderAdapter;

beforeAll(async () => {
  simulator = await startSimulator();
  receiver = await startFaultServer((received) => answer(received, 200, ''));
  adapter = createTwilioAdapter({ apiUrl: simulator.url, callTimeoutMs: 1_000 });
});

afterAll(async () => {
  await adapter.close();
  await receiver.close();
  await simulator.close();
});

function send(changes: Partial<SendRequest>) {
  const request = {
    messageId: '0197a000-0000-7000-8000-000000000001',
    attempt: 1,
    to: '+15551230000',
    from: NUMBER,
    body: 'Hello',
    mediaUrls: [],
    statusCallbackUrl: `${receiver.url}/status?message=none`,
    ...changes,
  };
  return adapter.send(ACCOUNT, request, () => true);
}

test('a probe is answered like a send, and creates no message', async () => {
  const readLedger = async () => (await fetch(`${simulator.url}/simulator/ledger`)).text();
  const before = await readLedger();
  expect(await adapter.probe(ACCOUNT)).toEqual({ kind: 'answered' });
  expect(await adapter.probe({ ...ACCOUNT, authToken: 'another' })).toMatchObject({
    kind: 'refused',
  });
  expect(await readLedger()).toBe(before);
});

/** The webhooks that came to a path, as the API would see them. */
function webhooksTo(path: string): SignedRequest[] {
  return receiver.requests
    .filter((received) => received.path === path)
    .map((received) => ({
      url: receiver.url + received.path,
      signature: received.headers.get('x-twilio-signature') ?? '',
      fields: [...new URLSearchParams(received.body)],
    }));
}

test('a message is accepted, and its signed callbacks tell how it ends', async () => {
  const path = '/status?message=one&attempt=1';
  const outcome = await send({
    body: 'Grüße 👋',
    mediaUrls: ['https://media.example/a.png'],
    statusCallbackUrl: receiver.url + path,
  });
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
  const { sid } = outcome.message;
  expect(outcome.message).toMatchObject({
    accountSid: ACCOUNT.accountSid,
    status: 'queued',
    to: '+15551230000',
    from: NUMBER,
    body: 'Grüße 👋',
    direction: 'outbound',
    createdAt: expect.any(Date),
  });

  await vi.waitFor(() => expect(webhooksTo(path)).toHaveLength(2), { timeout: 3_000 });
  for (const webhook of webhooksTo(path)) {
    expect(adapter.isSigned(ACCOUNT.authToken, webhook)).toBe(true);
    expect(adapter.isSigned('another token', webhook)).toBe(false);
    expect(adapter.isSigned(ACCOUNT.authToken, { ...webhook, url: `${webhook.url}1` })).toBe(false);
  }
  const told = webhooksTo(path).map(({ fields }) => adapter.parseStatusCallback(fields));
  expect(told).toMatchObject([
    { sid, accountSid: ACCOUNT.accountSid, status: 'sent' },
    { sid, accountSid: ACCOUNT.accountSid, status: 'delivered', errorCode: null },
  ]);
  expect(await adapter.fetchMessage(ACCOUNT, sid)).toMatchObject({
    kind: 'found',
    message: { sid, status: 'delivered' },
  });
});

test('with a messaging service the sender is named later', async () => {
  const path = '/status?message=service';
  const outcome = await send({ from: null, statusCallbackUrl: receiver.url + path });
  expect(outcome).toMatchObject({
    kind: 'accepted',
    message: { from: null, rawStatus: 'accepted', status: 'queued' },
  });
  await vi.waitFor(() => expect(webhooksTo(path)).not.toEqual([]), { timeout: 3_000 });
  const [first] = webhooksTo(path).map(({ fields }) => adapter.parseStatusCallback(fields));
  expect(first?.from).toMatch(/^\+/);
});

test('an undelivered message says why', async () => {
  const path = '/status?message=undelivered';
  await send({ to: '+15005550012', statusCallbackUrl: receiver.url + path });
  await vi.waitFor(() => {
    const last = webhooksTo(path).at(-1);
    expect(last && adapter.parseStatusCallback(last.fields)).toMatchObject({
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
  ])('%j is rejected with %s', async (changes, code) => {
    expect(await send(changes)).toEqual({
      kind: 'rejected',
      code,
      detail: expect.stringMatching(/\S/),
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
    '%s is unknown, and the look-up finds the one message it made',
    async (to) => {
      const since = new Date();
      expect(await send({ to })).toMatchObject({ kind: 'unknown' });
      expect(await adapter.findSent(ACCOUNT, { to, from: NUMBER, since })).toMatchObject({
        kind: 'found',
        messages: [{ to, from: NUMBER, body: 'Hello', direction: 'outbound' }],
      });
    },
  );
});

test('a look-up reads several pages, the newest message first', async () => {
  const to = '+15551239999';
  const since = new Date();
  const sids = new Set<string>();
  for (let batch = 0; batch < 21; batch += 1) {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => send({ to })));
    for (const outcome of outcomes) if (outcome.kind === 'accepted') sids.add(outcome.message.sid);
  }
  expect(sids.size).toBe(420);
  const found = await adapter.findSent(ACCOUNT, { to, from: null, since });
  if (found.kind !== 'found') throw new Error(found.detail);
  expect(new Set(found.messages.map(({ sid }) => sid))).toEqual(sids);
  const times = found.messages.map(({ createdAt }) => createdAt?.getTime() ?? 0);
  expect(times).toEqual([...times].sort((a, b) => b - a));
  const later = new Date(Date.now() + 60_000);
  expect(await adapter.findSent(ACCOUNT, { to, from: null, since: later })).toEqual({
    kind: 'found',
    messages: [],
  });
});

test('an account is verified by its token, and a wrong token sends nothing', async () => {
  expect(await adapter.verifyAccount(ACCOUNT)).toMatchObject({ ok: true });
  const wrong = { ...ACCOUNT, authToken: 'a wrong one' };
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
        statusCallbackUrl: receiver.url,
      },
      () => true,
    ),
  ).toMatchObject({ kind: 'not_sent', reason: 'credentials', code: '20003' });
});

test('an unknown message is missing', async () => {
  const outcome = await adapter.fetchMessage(ACCOUNT, `SM${'f'.repeat(32)}`);
  expect(outcome).toEqual({ kind: 'missing' });
});

test('a wired number brings its inbound messages, signed', async () => {
  const path = '/inbound';
  expect(await adapter.wireInbound(ACCOUNT, NUMBER, receiver.url + path)).toBe('wired');
  const stranger = { ...ACCOUNT, accountSid: `AC${'0'.repeat(32)}` };
  expect(await adapter.wireInbound(stranger, NUMBER, receiver.url)).toBe('not_owned');

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
  if (webhook === undefined) throw new Error('no inbound message came');
  expect(adapter.isSigned(ACCOUNT.authToken, webhook)).toBe(true);
  expect(adapter.parseInbound(webhook.fields)).toMatchObject({
    accountSid: ACCOUNT.accountSid,
    to: NUMBER,
    from: '+15551234567',
    body: 'Stop & go 👋',
    media: [{ url: 'https://media.example/b.png', content_type: expect.stringMatching(/\//) }],
  });
});
