import { describe, expect, test } from 'vitest';
import { respond, type ReceivedRequest } from '../fault-server.ts';
import { TWILIO_ACCOUNT as ACCOUNT } from '../twilio-responses.ts';
import { ROOT, server, adapter, useTwilioEnvironment } from './environment.ts';
import { requirePart } from '../require-part.ts';

useTwilioEnvironment();

describe('verifyAccount', () => {
  const cases: [string, number, unknown, boolean, RegExp][] = [
    ['an active account', 200, { status: 'active', friendly_name: 'Acme' }, true, /“Acme”.*active/],
    [
      'a suspended account',
      200,
      { status: 'suspended', friendly_name: 'Acme' },
      false,
      /suspended/,
    ],
    ['a closed account', 200, { status: 'closed', friendly_name: 'Acme' }, false, /closed/],
    [
      'a wrong auth token',
      401,
      { code: 20003, message: 'Authenticate' },
      false,
      /auth token: Authenticate/,
    ],
    ['an unknown account SID', 404, { code: 20404, message: 'Not found' }, false, /account SID/],
    ['that Twilio is unavailable', 503, '', false, /is unavailable/],
  ];

  test.each(cases)('verifyAccount recognizes %s', async (_case, status, body, ok, detail) => {
    server.onRequest = (received) => respond(received, status, body);
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
  });
});

describe('inboundList.findConfigured', () => {
  const url = 'https://sb.example/webhooks/one#rc=5&rp=all';

  test('findConfigured finds the numbers on all pages that use one of their URLs, with any connection overrides', async () => {
    const list = `${ROOT}/IncomingPhoneNumbers.json`;
    const pages = [
      { '+15550000001': url, '+15550000002': 'https://sb.example/webhooks/two#rc=5&rp=all' },
      { '+15550000003': 'https://sb.example/webhooks/one', '+15550000004': '' },
    ];
    server.onRequest = (received) => {
      const page = received.path.includes('Page=1') ? 1 : 0;
      const found = Object.entries(pages[page] ?? {}).map(([phone_number, sms_url]) => ({
        phone_number,
        sms_url,
      }));
      const next_page_uri = page === 0 ? `${list}?Page=1` : null;
      respond(received, 200, { incoming_phone_numbers: found, next_page_uri, uri: list });
    };
    const old = 'https://old.example/webhooks/one';
    const numbers = [1, 2, 3, 4, 5].map((n) => ({ number: `+1555000000${n}`, urls: [old, url] }));
    expect(await adapter.inboundList?.findConfigured(ACCOUNT, numbers)).toEqual({
      kind: 'read',
      urls: new Map([
        ['+15550000001', url],
        ['+15550000003', url],
      ]),
    });
    const queries = server.requests.map(({ path }) => new URLSearchParams(path.split('?')[1]));
    expect(queries.map((query) => query.get('PageSize'))[0]).toBe('1000');
  });

  test('findConfigured omits a number with an SMS application, for which Twilio ignores the URL', async () => {
    const numbers = ['+15550000001', '+15550000002', '+15550000003'];
    const applications = [`AP${'a'.repeat(32)}`, '', null];
    server.onRequest = (received) =>
      respond(received, 200, {
        incoming_phone_numbers: numbers.map((phone_number, n) => ({
          phone_number,
          sms_url: url,
          sms_application_sid: applications[n],
        })),
      });
    const queries = numbers.map((number) => ({ number, urls: [url] }));
    expect(await adapter.inboundList?.findConfigured(ACCOUNT, queries)).toEqual({
      kind: 'read',
      urls: new Map(numbers.slice(1).map((number) => [number, url])),
    });
  });

  test('findConfigured returns `unavailable` when a page fails', async () => {
    server.onRequest = (received) => respond(received, 500, '');
    expect(await adapter.inboundList?.findConfigured(ACCOUNT, [])).toMatchObject({
      kind: 'unavailable',
    });
  });
});

describe('configureInbound', () => {
  const number = '+15557654321';
  const url = 'https://sb.example/inbound';
  const numberSid = `PN${'3'.repeat(32)}`;

  function own(...numbers: string[]): void {
    server.onRequest = (received: ReceivedRequest) => {
      const found = numbers.map((phone) => ({ sid: numberSid, phone_number: phone }));
      if (received.method === 'GET') respond(received, 200, { incoming_phone_numbers: found });
      else respond(received, 200, { sid: numberSid, phone_number: number });
    };
  }

  test('configureInbound sets the webhook URL of the number with the method POST, and removes an SMS application', async () => {
    own('+155576543210', number);
    expect(await requirePart(adapter, 'configureInbound')(ACCOUNT, number, url)).toBe('configured');
    const [listed, updated] = server.requests;
    expect(new URLSearchParams(listed?.path.split('?')[1]).get('PhoneNumber')).toBe(number);
    expect(updated).toMatchObject({
      method: 'POST',
      path: `${ROOT}/IncomingPhoneNumbers/${numberSid}.json`,
    });
    expect(Object.fromEntries(new URLSearchParams(updated?.body))).toEqual({
      SmsUrl: url,
      SmsMethod: 'POST',
      SmsApplicationSid: '',
    });
  });

  test('configureInbound changes nothing for a number that the account does not own', async () => {
    own('+155576543210');
    expect(await requirePart(adapter, 'configureInbound')(ACCOUNT, number, url)).toBe('not_owned');
    expect(server.requests).toHaveLength(1);
  });

  test('configureInbound returns `unavailable` when Twilio refuses the update', async () => {
    own(number);
    const list = server.onRequest;
    server.onRequest = (received) =>
      received.method === 'GET' ? list(received) : respond(received, 500, '');
    expect(await requirePart(adapter, 'configureInbound')(ACCOUNT, number, url)).toBe(
      'unavailable',
    );
  });
});
