import type { ProviderAdapter, SendRequest } from '@switchboard/core';
import { EVENTUALLY } from '@switchboard/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createTwilioAdapter } from '../src/twilio/twilio-adapter.ts';
import {
  answer,
  type FaultServer,
  type ReceivedRequest,
  startFaultServer,
} from './fault-server.ts';
import { formatMessage, toSid, TWILIO_ACCOUNT as ACCOUNT } from './twilio-answers.ts';

const ROOT = `/2010-04-01/Accounts/${ACCOUNT.id}`;

let server: FaultServer;
let adapter: ProviderAdapter;

beforeEach(async () => {
  server = await startFaultServer((received) => answer(received, 201, formatMessage()));
  adapter = createTwilioAdapter({ apiUrl: server.url, callTimeoutMs: 3_000 });
});

afterEach(async () => {
  await adapter.close();
  await server.close();
});

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
    const credentials = `${ACCOUNT.id}:${ACCOUNT.secret}`;
    expect(received?.headers.get('authorization')).toBe(`Basic ${btoa(credentials)}`);
    expect(Object.fromEntries(sentForm())).toEqual({
      To: '+15551234567',
      From: '+15557654321',
      Body: 'Grüße & 100% + 👋',
      StatusCallback: 'https://sb.example/status?message=1&attempt=2',
    });
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
    server.onRequest = (received) => answer(received, 201, body);
    expect(await adapter.send(ACCOUNT, sms, () => true)).toEqual({
      kind: 'accepted',
      message: {
        sid: toSid(1),
        account: ACCOUNT.id,
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
      { ...ACCOUNT, id: 'not an account' },
      { ...ACCOUNT, id: '' },
      { ...ACCOUNT, id: 'AC/../Accounts' },
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

describe('201 answers', () => {
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
    'a 201 with %s is an unknown outcome, and its connection is closed',
    async (_what, changes) => {
      server.onRequest = (received) =>
        answer(received, 201, formatMessage({ ...ours, ...changes }), { connection: 'keep-alive' });
      expect(await send()).toMatchObject({ kind: 'unknown', isMismatched: true });
      const [first] = server.requests;
      await vi.waitFor(() => expect(first?.socket.destroyed).toBe(true), EVENTUALLY);
      server.onRequest = (received) => answer(received, 201, formatMessage(ours));
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
  ])('a 201 with %s counts as the answer to our request', async (_what, changes) => {
    server.onRequest = (received) => answer(received, 201, formatMessage({ ...ours, ...changes }));
    expect(await send()).toMatchObject({ kind: 'accepted' });
    expect(server.connections).toBe(1);
  });
});

test('NUL and lone surrogates in Twilio’s texts are replaced, because PostgreSQL refuses them', async () => {
  server.onRequest = (received) =>
    answer(received, 400, { code: 21211, message: 'not\0a number \ud800' });
  const outcome = await adapter.fetchMessage(ACCOUNT, toSid(1));
  expect(outcome).toEqual({ kind: 'unavailable', detail: 'not\uFFFDa number \uFFFD' });
});

describe('findSent', () => {
  const since = new Date('2026-11-20T04:33:00.400Z');
  const query = { to: '+15551234567', from: null, since };

  function at(time: string): string {
    return new Date(`2026-11-20T${time}Z`).toUTCString().replace('GMT', '+0000');
  }

  /** Serves the lists as consecutive pages. */
  function servePages(...pages: Record<string, unknown>[][]): void {
    server.onRequest = (received) => {
      const page = Number(new URLSearchParams(received.path.split('?')[1]).get('Page') ?? 0);
      const next = page + 1 < pages.length ? `${ROOT}/Messages.json?Page=${page + 1}` : null;
      answer(received, 200, { messages: pages[page], next_page_uri: next, page });
    };
  }

  test('findSent filters by number only, because the date filter hides messages that are not sent yet', async () => {
    servePages([]);
    expect(await adapter.findSent(ACCOUNT, query)).toEqual({ kind: 'found', messages: [] });
    await adapter.findSent(ACCOUNT, { ...query, from: '+15557654321' });
    const asked = server.requests.map(({ path }) =>
      Object.fromEntries(new URLSearchParams(path.split('?')[1])),
    );
    expect(asked).toEqual([
      { To: '+15551234567', PageSize: '200' },
      { To: '+15551234567', From: '+15557654321', PageSize: '200' },
    ]);
  });

  test('findSent returns each outbound message created since then once, newest first, from all pages', async () => {
    servePages(
      [
        formatMessage({ sid: toSid(5), date_created: at('04:33:07'), status: 'queued' }),
        formatMessage({ sid: toSid(4), date_created: at('04:33:09'), date_sent: at('04:33:09') }),
        formatMessage({ sid: toSid(9), date_created: at('04:33:08'), direction: 'inbound' }),
      ],
      [
        formatMessage({ sid: toSid(4), date_created: at('04:33:09'), date_sent: at('04:33:09') }),
        formatMessage({ sid: toSid(3), date_created: at('04:33:00'), date_sent: at('04:33:01') }),
        formatMessage({ sid: toSid(2), date_created: at('04:32:59'), date_sent: at('04:33:00') }),
      ],
    );
    const outcome = await adapter.findSent(ACCOUNT, query);
    const sids = outcome.kind === 'found' ? outcome.messages.map(({ sid }) => sid) : null;
    // Twilio's times are whole seconds: 04:33:00 may be 04:33:00.9.
    expect(sids).toEqual([toSid(4), toSid(5), toSid(3)]);
  });

  test('findSent reads past messages that were created early and sent late, and no further than needed', async () => {
    servePages(
      [formatMessage({ sid: toSid(4), date_created: at('01:00:00'), date_sent: at('04:40:00') })],
      [formatMessage({ sid: toSid(3), date_created: at('04:33:30'), date_sent: at('04:33:31') })],
      [formatMessage({ sid: toSid(2), date_created: at('04:20:00'), date_sent: at('04:20:01') })],
      [formatMessage({ sid: toSid(1), date_created: at('04:10:00'), date_sent: at('04:10:01') })],
    );
    const outcome = await adapter.findSent(ACCOUNT, query);
    expect(outcome).toMatchObject({ kind: 'found', messages: [{ sid: toSid(3) }] });
    expect(server.requests).toHaveLength(3);
  });

  test.each([-40, 40])(
    'findSent corrects times by the Date header of a server whose clock is %i s ahead',
    async (aheadSeconds) => {
      const aheadMs = aheadSeconds * 1_000;
      const now = Date.now();
      const theirs = (ms: number) => new Date(ms + aheadMs).toUTCString();
      const list = [
        formatMessage({ sid: toSid(2), date_created: theirs(now - 10_000) }),
        formatMessage({ sid: toSid(1), date_created: theirs(now - 30_000) }),
      ];
      server.onRequest = (received) =>
        answer(received, 200, { messages: list }, { date: theirs(Date.now()) });
      const recently = new Date(now - 20_000);
      const outcome = await adapter.findSent(ACCOUNT, { ...query, since: recently });
      expect(outcome).toMatchObject({ kind: 'found', messages: [{ sid: toSid(2) }] });
      const [message] = outcome.kind === 'found' ? outcome.messages : [];
      const offBy = (message?.createdAt?.getTime() ?? 0) - (now - 10_000);
      expect(Math.abs(offBy)).toBeLessThan(5_000);
    },
  );

  test('findSent is unavailable when the list is longer than its limit', async () => {
    servePages(
      ...Array.from({ length: 26 }, () => [formatMessage({ date_created: at('05:00:00') })]),
    );
    expect(await adapter.findSent(ACCOUNT, query)).toMatchObject({ kind: 'unavailable' });
    expect(server.requests).toHaveLength(25);
  });

  test('findSent is unavailable when one page fails', async () => {
    servePages([formatMessage({ date_created: at('05:00:00') })], []);
    const first = server.onRequest;
    server.onRequest = (received) =>
      received.path.includes('Page=1') ? answer(received, 500, '') : first(received);
    expect(await adapter.findSent(ACCOUNT, query)).toMatchObject({ kind: 'unavailable' });
  });

  test('findSent is unavailable when a message in the list has no SID', async () => {
    servePages([formatMessage({ sid: null })]);
    expect(await adapter.findSent(ACCOUNT, query)).toMatchObject({ kind: 'unavailable' });
  });

  test('findSent requests a page of another host from the configured origin', async () => {
    server.onRequest = (received) =>
      answer(received, 200, {
        messages: [formatMessage({ date_created: at('05:00:00') })],
        ...(received.path.includes('stolen')
          ? {}
          : { meta: { next_page_url: 'http://203.0.113.9/stolen?a=1', key: 'messages' } }),
      });
    expect(await adapter.findSent(ACCOUNT, query)).toMatchObject({ kind: 'found' });
    expect(server.requests.map(({ path }) => path).at(-1)).toBe('/stolen?a=1');
  });
});

describe('fetchMessage', () => {
  test('fetchMessage returns the current state of the message with a text for its error', async () => {
    const body = formatMessage({ status: 'undelivered', error_code: 30005, date_sent: 'nonsense' });
    server.onRequest = (received) => answer(received, 200, body);
    expect(await adapter.fetchMessage(ACCOUNT, toSid(1))).toMatchObject({
      kind: 'found',
      message: {
        status: 'undelivered',
        errorCode: '30005',
        errorDetail: 'The number is unknown or no longer in use.',
      },
    });
    expect(server.requests[0]?.path).toBe(`${ROOT}/Messages/${toSid(1)}.json`);
  });

  test('fetchMessage reports a message as missing if Twilio does', async () => {
    server.onRequest = (received) => answer(received, 404, { code: 20404, message: 'not found' });
    expect(await adapter.fetchMessage(ACCOUNT, toSid(1))).toEqual({ kind: 'missing' });
  });
});

describe('verifyAccount', () => {
  const cases: [string, number, unknown, boolean, RegExp][] = [
    ['active', 200, { status: 'active', friendly_name: 'Acme' }, true, /“Acme”.*active/],
    ['suspended', 200, { status: 'suspended', friendly_name: 'Acme' }, false, /suspended/],
    ['closed', 200, { status: 'closed', friendly_name: 'Acme' }, false, /closed/],
    ['wrong', 401, { code: 20003, message: 'Authenticate' }, false, /auth token: Authenticate/],
    ['unknown', 404, { code: 20404, message: 'Not found' }, false, /account SID/],
    ['unreachable', 503, '', false, /does not answer/],
  ];

  test.each(cases)(
    'verifyAccount classifies an account that is %s',
    async (_case, status, body, ok, detail) => {
      server.onRequest = (received) => answer(received, status, body);
      const check = await adapter.verifyAccount(ACCOUNT);
      const isRefused = status === 401 || status === 404;
      const isUnavailable = status === 503;
      expect(check).toEqual({
        ok,
        isRefused,
        isUnavailable,
        detail: expect.stringMatching(detail),
      });
      expect(server.requests[0]?.path).toBe(`${ROOT}.json`);
    },
  );
});

describe('configureInbound', () => {
  const number = '+15557654321';
  const url = 'https://sb.example/inbound';
  const numberSid = `PN${'3'.repeat(32)}`;

  function own(...numbers: string[]): void {
    server.onRequest = (received: ReceivedRequest) => {
      const found = numbers.map((phone) => ({ sid: numberSid, phone_number: phone }));
      if (received.method === 'GET') answer(received, 200, { incoming_phone_numbers: found });
      else answer(received, 200, { sid: numberSid, phone_number: number });
    };
  }

  test('configureInbound sets the webhook URL of the number with the method POST', async () => {
    own('+155576543210', number);
    expect(await adapter.configureInbound(ACCOUNT, number, url)).toBe('configured');
    const [listed, updated] = server.requests;
    expect(new URLSearchParams(listed?.path.split('?')[1]).get('PhoneNumber')).toBe(number);
    expect(updated).toMatchObject({
      method: 'POST',
      path: `${ROOT}/IncomingPhoneNumbers/${numberSid}.json`,
    });
    expect(Object.fromEntries(new URLSearchParams(updated?.body))).toEqual({
      SmsUrl: url,
      SmsMethod: 'POST',
    });
  });

  test('configureInbound changes nothing for a number that the account does not own', async () => {
    own('+155576543210');
    expect(await adapter.configureInbound(ACCOUNT, number, url)).toBe('not_owned');
    expect(server.requests).toHaveLength(1);
  });

  test('configureInbound is unavailable when Twilio refuses the update', async () => {
    own(number);
    const list = server.onRequest;
    server.onRequest = (received) =>
      received.method === 'GET' ? list(received) : answer(received, 500, '');
    expect(await adapter.configureInbound(ACCOUNT, number, url)).toBe('unavailable');
  });
});
