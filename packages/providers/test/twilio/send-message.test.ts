import type { SendRequest } from '@switchboard/core';
import { EVENTUALLY } from '@switchboard/testing';
import twilio from 'twilio';
import type { RequestClient } from 'twilio';
import { describe, expect, test, vi } from 'vitest';
import { respond } from '../fault-server.ts';
import { formatMessage, toSid, TWILIO_ACCOUNT as ACCOUNT } from '../twilio-responses.ts';
import { ROOT, server, adapter, useTwilioEnvironment } from './environment.ts';
import { requirePart } from '../require-part.ts';

useTwilioEnvironment();

describe('send', () => {
  const sms: SendRequest = {
    messageId: '0197a000-0000-7000-8000-000000000001',
    attempt: 2,
    to: '+15551234567',
    from: '+15557654321',
    body: 'Grüße & 100% + 👋',
    mediaUrls: [],
    statusUrl: 'https://sb.example/status?message=1&attempt=2',
  };

  function sentForm(): [string, string][] {
    return [...new URLSearchParams(server.requests.at(-1)?.body)];
  }

  test('a send posts the form that Twilio documents, authenticated as the account', async () => {
    await adapter.send(ACCOUNT, sms, () => true);
    const [received] = server.requests;
    expect(received).toMatchObject({ method: 'POST', path: `${ROOT}/Messages.json` });
    expect(received?.headers.get('content-type')).toBe('application/x-www-form-urlencoded');
    const credentials = `${ACCOUNT.vendorAccountId}:${ACCOUNT.secret}`;
    expect(received?.headers.get('authorization')).toBe(`Basic ${btoa(credentials)}`);
    expect(Object.fromEntries(sentForm())).toEqual({
      To: '+15551234567',
      From: '+15557654321',
      Body: 'Grüße & 100% + 👋',
      StatusCallback: 'https://sb.example/status?message=1&attempt=2',
    });
  });

  test('a send writes the same path, form and credentials as the twilio package', async () => {
    const mediaUrls = ['https://media.example/a.png?x=1&y=2', 'https://media.example/b.png'];
    await adapter.send(ACCOUNT, { ...sms, mediaUrls }, () => true);
    const requested: Parameters<RequestClient['request']>[0][] = [];
    const httpClient = {
      async request(options: Parameters<RequestClient['request']>[0]) {
        requested.push(options);
        return { statusCode: 201, body: formatMessage() };
      },
    } as unknown as RequestClient;
    await twilio(ACCOUNT.vendorAccountId, ACCOUNT.secret, { httpClient }).messages.create({
      to: sms.to,
      from: '+15557654321',
      body: sms.body,
      mediaUrl: mediaUrls,
      statusCallback: sms.statusUrl,
    });
    const [theirs] = requested;
    const [ours] = server.requests;
    expect(ours?.path).toBe(new URL(theirs?.uri ?? '').pathname);
    const credentials = `${theirs?.username}:${theirs?.password}`;
    expect(ours?.headers.get('authorization')).toBe(`Basic ${btoa(credentials)}`);
    const fields = Object.entries(theirs?.data ?? {}) as [string, string | string[]][];
    const pairs = fields.flatMap(([name, value]) => [value].flat().map((item) => [name, item]));
    expect(new Set(sentForm().map(String))).toEqual(new Set(pairs.map(String)));
  });

  test('a send has one field for each media URL and omits an empty text', async () => {
    const mediaUrls = ['https://media.example/a.png?x=1&y=2', 'https://media.example/b.png'];
    await adapter.send(ACCOUNT, { ...sms, body: '', mediaUrls }, () => true);
    expect(sentForm().filter(([name]) => name === 'MediaUrl')).toEqual(
      mediaUrls.map((url) => ['MediaUrl', url]),
    );
    expect(sentForm().some(([name]) => name === 'Body')).toBe(false);
  });

  test('a send names the messaging service only if no sender is chosen', async () => {
    const account = { ...ACCOUNT, senderPool: `MG${'2'.repeat(32)}` };
    await adapter.send(account, sms, () => true);
    expect(Object.fromEntries(sentForm())).not.toHaveProperty('MessagingServiceSid');
    await adapter.send(account, { ...sms, from: null }, () => true);
    expect(Object.fromEntries(sentForm())).toMatchObject({
      MessagingServiceSid: account.senderPool,
    });
    expect(Object.fromEntries(sentForm())).not.toHaveProperty('From');
  });

  test('a send returns the accepted message as Twilio reports it', async () => {
    const body = formatMessage({
      body: sms.body,
      status: 'accepted',
      from: null,
      num_segments: '0',
    });
    server.onRequest = (received) => respond(received, 201, body);
    expect(await adapter.send(ACCOUNT, sms, () => true)).toEqual({
      kind: 'accepted',
      message: {
        sid: toSid(1),
        vendorAccountId: ACCOUNT.vendorAccountId,
        status: 'queued',
        rawStatus: 'accepted',
        to: '+15551234567',
        from: null,
        body: sms.body,
        segments: null,
        mediaCount: 0,
        errorCode: null,
        errorDetail: null,
        isOptOut: false,
        direction: 'outbound',
        createdAt: new Date('2026-11-20T04:33:00Z'),
      },
    });
  });

  test('a malformed account is refused without opening a connection', async () => {
    const unusable = [
      { ...ACCOUNT, vendorAccountId: 'not an account' },
      { ...ACCOUNT, vendorAccountId: '' },
      { ...ACCOUNT, vendorAccountId: 'AC/../Accounts' },
      { ...ACCOUNT, vendorAccountId: `AC${'a1'.repeat(16)}?x=` },
      { ...ACCOUNT, secret: '' },
    ];
    for (const account of unusable) {
      expect(await adapter.send(account, sms, () => true)).toMatchObject({
        kind: 'not_sent',
        reason: 'credentials',
      });
      expect(await adapter.verifyAccount(account)).toMatchObject({ ok: false });
    }
    expect(server.connections).toBe(0);
  });
});

describe('201 responses', () => {
  const ours = { to: '+15551234567', body: 'Your code is 123456' };
  const send = () =>
    adapter.send(
      ACCOUNT,
      {
        messageId: 'm1',
        attempt: 1,
        ...ours,
        from: '+15557654321',
        mediaUrls: [],
        statusUrl: 'https://example.com/status',
      },
      () => true,
    );

  test.each([
    ['another account', { account_sid: `AC${'b2'.repeat(16)}` }],
    ['another recipient', { to: '+15551234568' }],
    ['another text of the same template', { body: 'Your code is 987654' }],
  ])(
    'a 201 with %s leaves the outcome unknown, and its connection is closed',
    async (_what, changes) => {
      server.onRequest = (received) =>
        respond(received, 201, formatMessage({ ...ours, ...changes }), {
          connection: 'keep-alive',
        });
      expect(await send()).toMatchObject({ kind: 'unknown', isMismatched: true });
      const [first] = server.requests;
      await vi.waitFor(() => expect(first?.socket.destroyed).toBe(true), EVENTUALLY);
      server.onRequest = (received) => respond(received, 201, formatMessage(ours));
      expect(await send()).toMatchObject({ kind: 'accepted' });
      expect(server.connections).toBe(2);
    },
  );

  test.each([
    [
      'the text with a prefix',
      { body: 'Sent from your Twilio trial account - Your code is 123456' },
    ],
    ['no text', { body: null }],
    ['a redacted number', { to: '+1555123XXXX' }],
  ])('a 201 with %s counts as the response to our request', async (_what, changes) => {
    server.onRequest = (received) => respond(received, 201, formatMessage({ ...ours, ...changes }));
    expect(await send()).toMatchObject({ kind: 'accepted' });
    expect(server.connections).toBe(1);
  });
});

test('NUL and lone surrogates in Twilio’s texts are replaced, because PostgreSQL refuses them', async () => {
  server.onRequest = (received) =>
    respond(received, 400, { code: 21211, message: 'not\0a number \ud800' });
  const outcome = await requirePart(adapter, 'fetchMessage')(ACCOUNT, toSid(1));
  expect(outcome).toEqual({ kind: 'unavailable', detail: 'not\uFFFDa number \uFFFD' });
});
