import { describe, expect, test } from 'vitest';

import type { HttpHeaders } from '../http/origin-client.ts';
import { classifySend } from './classify-send.ts';

const NOW = Date.UTC(2026, 10, 20, 4, 33, 0);

function classify(status: number, body: unknown, headers: HttpHeaders = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answered = { kind: 'answered', status, headers, body: text } as const;
  return classifySend({ ...answered, headersAt: NOW, closeConnection: () => {} }, NOW);
}

function problem(code: number, status: number) {
  return { code, message: `Twilio's words for ${code}`, more_info: 'https://x.example', status };
}

describe('permanent rejections', () => {
  test.each([
    [400, 21211],
    [400, 21212],
    [400, 21408],
    [403, 21408],
    [400, 21602],
    [400, 21606],
    [400, 21608],
    [400, 21610],
    [403, 21610],
    [400, 21612],
    [400, 21614],
    [400, 21617],
    [400, 21620],
    [400, 21623],
    [404, 20404],
  ])(
    'status %i with the Twilio code %i is a rejection: the message was not sent',
    (status, code) => {
      expect(classify(status, problem(code, status))).toEqual({
        kind: 'rejected',
        code: String(code),
        detail: `Twilio's words for ${code}`,
        isOptOut: code === 21610,
        ...([21408, 21606, 21608, 21612].includes(code) && { isAccountOnly: true }),
      });
    },
  );

  test('a rejection whose response has only a code gets our text for the code', () => {
    expect(classify(400, { code: 21610 })).toMatchObject({
      code: '21610',
      detail: 'The recipient has opted out of messages from this sender.',
    });
  });

  test('an error in the RFC 9457 format is read like one in the older format', () => {
    const body = { type: 'x', title: 'Invalid', status: 400, code: 21211, detail: 'Not a number' };
    expect(classify(400, body)).toMatchObject({ kind: 'rejected', detail: 'Not a number' });
  });
});

describe('throttling', () => {
  test.each([
    [429, problem(20429, 429), { 'retry-after': '3' }, 3_000, '20429'],
    [429, problem(20429, 429), { 'retry-after': 'Fri, 20 Nov 2026 04:33:09 GMT' }, 9_000, '20429'],
    [400, problem(21611, 400), {}, null, '21611'],
    [429, problem(21611, 429), {}, null, '21611'],
    [400, problem(30001, 400), { 'retry-after': ['5', '9'] }, 5_000, '30001'],
  ])(
    'status %i with %j and the headers %j is throttling: the message was not sent',
    (status, body, headers, retryAfterMs, code) => {
      expect(classify(status, body, headers)).toMatchObject({
        kind: 'not_sent',
        reason: 'throttled',
        retryAfterMs,
        code,
      });
    },
  );
});

describe('refused credentials', () => {
  test.each([
    [401, problem(20003, 401), '20003'],
    [403, problem(20003, 403), '20003'],
    [403, problem(20005, 403), '20005'],
    [400, problem(20003, 400), '20003'],
  ])(
    'status %i with %j means refused credentials: the message was not sent',
    (status, body, code) => {
      expect(classify(status, body)).toMatchObject({
        kind: 'not_sent',
        reason: 'credentials',
        code,
      });
    },
  );
});

describe('unknown outcomes', () => {
  test.each([
    [200, '{}'],
    [201, ''],
    [202, 'null'],
    [204, ''],
    [301, ''],
    [307, ''],
    [400, '<html>Bad Request</html>'],
    [400, { message: 'no code' }],
    [400, { code: null, message: 'no code' }],
    [400, { code: 0 }],
    [400, '[21211]'],
    [404, 'Not Found'],
    [405, problem(20004, 405)],
    [408, problem(20408, 408)],
    // From an intermediary, which may have forwarded the request.
    [401, ''],
    [403, '<html>Forbidden</html>'],
    [403, { error: 'Forbidden', code: 403 }],
    [403, { code: '20003', message: 'a code that is not a number' }],
    [400, problem(21211, 404)],
    [429, 'Too Many Requests'],
    [429, ''],
    [409, problem(20409, 409)],
    [413, ''],
    [500, problem(20500, 500)],
    // Even a code that proves a rejection with status 400: status 500 says that the server failed.
    [500, problem(21211, 500)],
    [500, problem(21611, 500)],
    [503, problem(20003, 503)],
    [502, ''],
    [503, problem(20503, 503)],
    [504, ''],
  ])('status %i with %j leaves the outcome unknown', (status, body) => {
    const outcome = classify(status, body);
    expect(outcome).toEqual({ kind: 'unknown', detail: expect.stringMatching(/^.+\.$/) });
  });
});

describe('incomplete responses', () => {
  test.each([
    [429, { kind: 'unknown' }],
    [401, { kind: 'unknown' }],
    [403, { kind: 'unknown' }],
    [201, { kind: 'unknown' }],
    [400, { kind: 'unknown' }],
    [500, { kind: 'unknown' }],
    [null, { kind: 'unknown', detail: 'reset' }],
  ])(
    'a response that is cut after the status %s leaves the outcome unknown',
    (status, expected) => {
      const headers = { 'retry-after': '2' };
      expect(classifySend({ kind: 'broken', status, headers, detail: 'reset' }, NOW)).toMatchObject(
        expected,
      );
    },
  );
});
