import { describe, expect, onTestFinished, test } from 'vitest';
import { createTwilioAdapter } from '../../src/twilio/twilio-adapter.ts';
import { respond } from '../fault-server.ts';
import { formatMessage, toSid, TWILIO_ACCOUNT as ACCOUNT } from '../twilio-responses.ts';
import { ROOT, server, adapter, useTwilioEnvironment } from './environment.ts';
import { requirePart } from '../require-part.ts';

useTwilioEnvironment();

describe('findSent', () => {
  const since = new Date('2026-11-20T04:33:00.400Z');
  const messageId = '0197a000-0000-7000-8000-000000000001';
  const query = { messageId, to: '+15551234567', from: null, since };

  function at(time: string): string {
    return new Date(`2026-11-20T${time}Z`).toUTCString().replace('GMT', '+0000');
  }

  /** Serves the lists as consecutive pages. */
  function servePages(...pages: Record<string, unknown>[][]): void {
    server.onRequest = (received) => {
      const page = Number(new URLSearchParams(received.path.split('?')[1]).get('Page') ?? 0);
      const next = page + 1 < pages.length ? `${ROOT}/Messages.json?Page=${page + 1}` : null;
      respond(received, 200, { messages: pages[page], next_page_uri: next, page });
    };
  }

  test('findSent filters by number only, because the date filter hides messages that are not sent yet', async () => {
    servePages([]);
    expect(await requirePart(adapter, 'lookUp').findSent(ACCOUNT, query)).toEqual({
      kind: 'found',
      messages: [],
    });
    await requirePart(adapter, 'lookUp').findSent(ACCOUNT, { ...query, from: '+15557654321' });
    const queries = server.requests.map(({ path }) =>
      Object.fromEntries(new URLSearchParams(path.split('?')[1])),
    );
    expect(queries).toEqual([
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
    const outcome = await requirePart(adapter, 'lookUp').findSent(ACCOUNT, query);
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
    const outcome = await requirePart(adapter, 'lookUp').findSent(ACCOUNT, query);
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
        respond(received, 200, { messages: list }, { date: theirs(Date.now()) });
      const recently = new Date(now - 20_000);
      const outcome = await requirePart(adapter, 'lookUp').findSent(ACCOUNT, {
        ...query,
        since: recently,
      });
      expect(outcome).toMatchObject({ kind: 'found', messages: [{ sid: toSid(2) }] });
      const [message] = outcome.kind === 'found' ? outcome.messages : [];
      const offBy = (message?.createdAt?.getTime() ?? 0) - (now - 10_000);
      expect(Math.abs(offBy)).toBeLessThan(20_000);
    },
  );

  test('findSent does not count the time that a slow body takes to arrive as clock skew', async () => {
    const now = Date.now();
    const sent = new Date(now - 10_000).toUTCString();
    const body = JSON.stringify({ messages: [formatMessage({ date_created: sent })] });
    server.onRequest = ({ socket }) => {
      const date = new Date().toUTCString();
      socket.write(`HTTP/1.1 200 OK\r\nDate: ${date}\r\nContent-Length: ${body.length}\r\n\r\n`);
      setTimeout(() => socket.write(body), 10_000);
    };
    const slow = createTwilioAdapter({ apiUrl: server.url, callTimeoutMs: 40_000 });
    onTestFinished(() => slow.close());
    const outcome = await requirePart(slow, 'lookUp').findSent(ACCOUNT, {
      ...query,
      since: new Date(now - 20_000),
    });
    const [message] = outcome.kind === 'found' ? outcome.messages : [];
    const offBy = (message?.createdAt?.getTime() ?? 0) - (now - 10_000);
    // Both times are whole seconds, and a busy machine adds to the difference.
    expect(Math.abs(offBy)).toBeLessThan(8_000);
  });

  test('findSent returns `unavailable` when the list is longer than its limit', async () => {
    servePages(
      ...Array.from({ length: 26 }, () => [formatMessage({ date_created: at('05:00:00') })]),
    );
    expect(await requirePart(adapter, 'lookUp').findSent(ACCOUNT, query)).toMatchObject({
      kind: 'unavailable',
    });
    expect(server.requests).toHaveLength(25);
  });

  test('findSent returns `unavailable` when one page fails', async () => {
    servePages([formatMessage({ date_created: at('05:00:00') })], []);
    const first = server.onRequest;
    server.onRequest = (received) =>
      received.path.includes('Page=1') ? respond(received, 500, '') : first(received);
    expect(await requirePart(adapter, 'lookUp').findSent(ACCOUNT, query)).toMatchObject({
      kind: 'unavailable',
    });
  });

  test('findSent returns `unavailable` when a message in the list has no SID', async () => {
    servePages([formatMessage({ sid: null })]);
    expect(await requirePart(adapter, 'lookUp').findSent(ACCOUNT, query)).toMatchObject({
      kind: 'unavailable',
    });
  });

  test('findSent requests the next page from the configured origin even if its URL names another host', async () => {
    server.onRequest = (received) =>
      respond(received, 200, {
        messages: [formatMessage({ date_created: at('05:00:00') })],
        ...(received.path.includes('stolen')
          ? {}
          : { meta: { next_page_url: 'http://203.0.113.9/stolen?a=1', key: 'messages' } }),
      });
    expect(await requirePart(adapter, 'lookUp').findSent(ACCOUNT, query)).toMatchObject({
      kind: 'found',
    });
    expect(server.requests.map(({ path }) => path).at(-1)).toBe('/stolen?a=1');
  });
});

describe('fetchMessage', () => {
  test('fetchMessage returns the current state of the message with a text for its error', async () => {
    const body = formatMessage({ status: 'undelivered', error_code: 30005, date_sent: 'nonsense' });
    server.onRequest = (received) => respond(received, 200, body);
    expect(await requirePart(adapter, 'fetchMessage')(ACCOUNT, toSid(1))).toMatchObject({
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
    server.onRequest = (received) => respond(received, 404, { code: 20404, message: 'not found' });
    expect(await requirePart(adapter, 'fetchMessage')(ACCOUNT, toSid(1))).toEqual({
      kind: 'missing',
    });
  });
});
