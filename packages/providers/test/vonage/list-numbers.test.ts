import { afterEach, beforeEach, expect, test } from 'vitest';
import { VONAGE_KEYS } from '@switchboard/testing/webhooks';
import { createVonageAdapter } from '../../src/vonage/vonage-adapter.ts';
import { respond, type FaultServer, startFaultServer } from '../fault-server.ts';
import { readCredentials } from '../read-credentials.ts';

const APPLICATION = 'bf0ca0bf-5c5b-4a5b-9a5f-1f0a5f6f0001';
const OTHER = 'bf0ca0bf-5c5b-4a5b-9a5f-1f0a5f6f0002';
const URL_HERE = 'https://x.example/api/webhooks/vonage/p/inbound';
const CREDENTIALS = {
  application_id: APPLICATION,
  private_key: VONAGE_KEYS.privateKey,
  signature_secret: 'a-signature-secret',
};
const KEY = { api_key: 'abcd1234', api_secret: 'a-secret-of-the-account' };
const BASIC = `Basic ${Buffer.from(`${KEY.api_key}:${KEY.api_secret}`).toString('base64')}`;

let server: FaultServer;
let adapter: ReturnType<typeof createVonageAdapter>;

beforeEach(async () => {
  server = await startFaultServer((received) => respond(received, 500, ''));
  adapter = createVonageAdapter({ apiUrl: server.url, callTimeoutMs: 15_000 });
});
afterEach(async () => {
  await adapter.close();
  await server.close();
});

function read(credentials: object = KEY) {
  const { account } = readCredentials(adapter, { ...CREDENTIALS, ...credentials });
  return adapter.listNumbers?.(account, URL_HERE);
}

/** Answers as Vonage does: the application, and the pages of its account's numbers. */
function serve(pages: object[][], inboundUrl: string | null): void {
  const inbound = inboundUrl === null ? {} : { inbound_url: { address: inboundUrl } };
  const count = pages.flat().length;
  server.onRequest = (received) => {
    const { pathname, searchParams } = new URL(received.path, server.url);
    if (pathname === `/v2/applications/${APPLICATION}`) {
      const capabilities = { messages: { webhooks: inbound } };
      return respond(received, 200, { id: APPLICATION, capabilities });
    }
    const numbers = pages[Number(searchParams.get('index')) - 1];
    return respond(received, 200, numbers === undefined ? {} : { count, numbers });
  };
}

const numberOf = (msisdn: string, fields: object = {}) => ({
  country: 'GB',
  msisdn,
  type: 'mobile-lvn',
  features: ['VOICE', 'SMS'],
  ...fields,
});

test('the numbers of a Vonage application and those without one are listed over all pages, with the destination of their messages', async () => {
  serve(
    [
      [
        numberOf('447700900001', { app_id: APPLICATION, features: ['SMS', 'MMS', 'VOICE'] }),
        numberOf('447700900002', {
          messagesCallbackType: 'app',
          messagesCallbackValue: APPLICATION,
        }),
        numberOf('447700900003', { app_id: OTHER }),
      ],
      [
        numberOf('18005550104', { type: 'landline-toll-free' }),
        numberOf('12345', { type: 'mobile-shortcode', app_id: APPLICATION }),
        numberOf('447700900006', { messagesCallbackType: 'app', messagesCallbackValue: OTHER }),
      ],
    ],
    URL_HERE,
  );
  const here = { kind: 'long_code', label: '', inbound: 'here', inboundUrl: null };
  expect(await read()).toEqual({
    kind: 'read',
    isComplete: true,
    numbers: [
      { number: '+447700900001', ...here, capabilities: ['sms', 'mms'] },
      { number: '+447700900002', ...here, capabilities: ['sms'] },
      {
        number: '+18005550104',
        kind: 'toll_free',
        label: '',
        capabilities: ['sms'],
        inbound: 'nowhere',
        inboundUrl: null,
      },
    ],
  });
  expect(server.requests.map(({ path }) => path)).toEqual([
    `/v2/applications/${APPLICATION}`,
    '/account/numbers?index=1&size=100',
    '/account/numbers?index=2&size=100',
  ]);
  for (const { headers } of server.requests) expect(headers.get('authorization')).toBe(BASIC);
});

test('the URL of the application decides where Vonage sends the messages to its numbers', async () => {
  const numbers = [[numberOf('447700900001', { app_id: APPLICATION })]];
  serve(numbers, 'https://other.example/hook');
  expect(await read()).toMatchObject({
    numbers: [{ inbound: 'elsewhere', inboundUrl: 'https://other.example/hook' }],
  });
  serve(numbers, null);
  expect(await read()).toMatchObject({ numbers: [{ inbound: 'nowhere', inboundUrl: null }] });
});

test('a Vonage account without numbers has an empty list', async () => {
  serve([], URL_HERE);
  expect(await read()).toEqual({ kind: 'read', numbers: [], isComplete: true });
});

test('the list of a Vonage account with too many numbers ends at the limit and is marked as incomplete', async () => {
  const page = Array.from({ length: 100 }, (_, n) => numberOf(`4477009${10_000 + n}`));
  serve(
    Array.from({ length: 60 }, () => page),
    URL_HERE,
  );
  const listed = await read();
  expect(listed).toMatchObject({ kind: 'read', isComplete: false });
  expect(listed?.kind === 'read' && listed.numbers).toHaveLength(5_000);
});

test('if Vonage refuses to list the numbers or does not respond, the result has the reason', async () => {
  expect(await read()).toMatchObject({ kind: 'unavailable' });
  server.onRequest = (received) => respond(received, 401, { title: 'Unauthorized' });
  const refused = 'Vonage refused to list the numbers';
  expect(await read()).toEqual({ kind: 'refused', detail: `${refused}: Unauthorized` });
  const failure = { 'error-code': '401', 'error-code-label': 'authentication failed' };
  server.onRequest = (received) =>
    received.path.startsWith('/v2/')
      ? respond(received, 200, { id: APPLICATION })
      : respond(received, 401, failure);
  expect(await read()).toEqual({ kind: 'refused', detail: `${refused}: authentication failed` });
});

test('without the API key and secret of the whole account, no request for its numbers is made', async () => {
  expect(await read({})).toMatchObject({
    kind: 'refused',
    detail: expect.stringContaining('API key and the API secret'),
  });
  expect(server.requests).toEqual([]);
});

test.each([
  [{ api_key: 'abcd1234' }, 'api_secret'],
  [{ api_secret: 'a-secret-of-the-account' }, 'api_key'],
])('credentials of Vonage with %j alone are refused', (given, missing) => {
  expect(() => readCredentials(adapter, { ...CREDENTIALS, ...given })).toThrow(
    expect.objectContaining({
      code: 'invalid_params',
      message: expect.stringContaining(`\`${missing}\` is required too`),
    }),
  );
});
