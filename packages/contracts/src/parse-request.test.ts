import { AppError } from '@switchboard/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCreateWorkspace, parseScheduledAt, parseSendMessage } from './index.ts';
import { parseBody, parseValue } from './parse-request.ts';
import { parseQuery } from './query.ts';
import { listEndpoints } from './routes/all-routes.ts';

const TO = '+15551230001';

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof AppError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('a send request', () => {
  test('a send request keeps its known fields unchanged and drops the others', () => {
    const json = {
      to: TO,
      body: ' ünï 👍 ',
      from: '+15005550006',
      media_urls: ['https://a.example/1'],
      scheduled_at: '2030-01-31T09:00:00Z',
    };
    expect(parseSendMessage({ ...json, id: 'x', constructor: 1, status: 'sent' })).toStrictEqual(
      json,
    );
    expect(parseSendMessage({ to: TO, body: 'x' })).toStrictEqual({ to: TO, body: 'x' });
  });

  test.each([
    [undefined, 'missing_params: Missing required parameters: `to`, `body`'],
    [null, 'missing_params: Missing required parameters: `to`, `body`'],
    [[], 'missing_params: Missing required parameters: `to`, `body`'],
    ['x', 'missing_params: Missing required parameters: `to`, `body`'],
    [{ to: TO }, 'missing_params: Missing required parameter: `body`'],
    [{ body: 'x', to: '' }, 'missing_params: Missing required parameter: `to`'],
    [{ to: 7, body: null }, 'missing_params: Missing required parameter: `body`'],
    [
      Object.create({ to: TO, body: 'x' }),
      'missing_params: Missing required parameters: `to`, `body`',
    ],
    [{ to: TO, body: '' }, 'missing_params: Missing required parameter: `body`'],
    [{ to: TO, body: '', media_urls: [] }, 'missing_params: Missing required parameter: `body`'],
    [
      { to: TO, media_urls: ['https://a.example'] },
      'missing_params: Missing required parameter: `body`',
    ],
  ])('the send request %j is refused with the names of its missing fields', (json, expected) => {
    expect(refusal(() => parseSendMessage(json))).toBe(expected);
  });

  test('the error of a send request names each invalid field once', () => {
    const text = refusal(() =>
      parseSendMessage({ to: 'x', body: 7, from: 8, media_urls: [1, 2], scheduled_at: 5 }),
    );
    for (const name of [
      '`to`',
      '`body`',
      '`from`',
      '`media_urls[0]`',
      '`media_urls[1]`',
      '`scheduled_at`',
    ]) {
      expect(text.split(name)).toHaveLength(2);
    }
  });

  test('the error about a value of the wrong type says nothing about its length', () => {
    const media_urls = 'https://a.example/1';
    expect(refusal(() => parseSendMessage({ to: TO, body: 'x', media_urls }))).toBe(
      'invalid_params: `media_urls` must be a list of URLs',
    );
  });

  test('an empty list of media, and null for an optional field, count as absent', () => {
    const nothing = {
      from: null,
      media_urls: [],
      scheduled_at: null,
      repeat_of: null,
      reference: null,
    };
    expect(parseSendMessage({ to: TO, body: 'x', ...nothing })).toStrictEqual({
      to: TO,
      body: 'x',
    });
    expect(parseSendMessage({ to: TO, body: 'x', media_urls: null })).toStrictEqual({
      to: TO,
      body: 'x',
    });
    expect(refusal(() => parseSendMessage({ to: TO, body: '', media_urls: null }))).toBe(
      'missing_params: Missing required parameter: `body`',
    );
  });

  test.each([
    ['https://a.example/my cat.jpg', 'white space', '%20'],
    ['https://a.example/cat.jpg\t', 'white space', '%09'],
    ['https://a.example\\a.jpg', 'backslash', '%5C'],
    ['http://a.example/cat.jpg', 'https', 'uploaded'],
    ['https://user@a.example/cat.jpg', 'user name', 'password'],
    ['https://', 'host', 'https'],
  ])('the error about the media URL %j says what is wrong with it', (url, what, right) => {
    const text = refusal(() => parseSendMessage({ to: TO, body: 'x', media_urls: [url] }));
    expect(text).toMatch(/^invalid_params: `media_urls\[0\]` /);
    expect(text).toContain(what);
    expect(text).toContain(right);
  });

  test('a send request may have an empty body only if it has media', () => {
    expect(parseSendMessage({ to: TO, body: '', media_urls: ['https://a.example'] }).body).toBe('');
  });

  test('any JSON value is either parsed as a send request or refused with an AppError', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (whole, to, media) => {
        for (const json of [
          whole,
          { to, body: 'x', media_urls: media },
          { to: TO, body: to, from: media },
        ]) {
          expect(refusal(() => parseSendMessage(json))).toMatch(
            /^(none|missing_params|invalid_params)/,
          );
        }
      }),
    );
  });

  test('a send request accepts exactly the texts of 1 to 1,600 code units that are well-formed and have no NUL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1700 }), (body) => {
        const isFine =
          body !== '' && body.length <= 1600 && body.isWellFormed() && !body.includes('\0');
        expect(refusal(() => parseSendMessage({ to: TO, body })) === 'none').toBe(isFine);
      }),
    );
  });
});

describe('any request', () => {
  const clients = new Set<string>(['api_key', 'session', 'none']);
  const own = listEndpoints().filter(({ credential }) => clients.has(credential));
  const bodies = own.flatMap(({ key, route: { body } }) =>
    body === undefined ? [] : [{ key, body }],
  );
  const queries = own.flatMap(({ key, route: { query } }) =>
    query === undefined ? [] : [{ key, query }],
  );
  const values = [null, 7, -1.5, true, 'x', '', [], [null], [[]], [7], {}, { x: null }, { x: 7 }];

  test.each(bodies)(
    'an error about a wrong type in the body of $key says which type is right',
    ({ body }) => {
      for (const name of Object.keys(body.shape)) {
        for (const value of values) {
          const text = refusal(() => parseValue(body.partial(), { [name]: value }));
          expect([value, text]).toEqual([value, expect.not.stringMatching(/invalid(?!_params)/i)]);
        }
      }
    },
  );

  test.each(bodies)('null for an optional field of $key counts as absent', ({ body }) => {
    for (const [name, field] of Object.entries(body.shape)) {
      const isOptional = field.safeParse(undefined).success;
      if (!isOptional || field.safeParse(null).success) continue;
      expect([name, parseBody(body.partial(), { [name]: null })]).toEqual([name, {}]);
    }
  });

  test.each(queries)(
    'an error about a parameter of $key says which value is right',
    ({ query }) => {
      for (const name of Object.keys(query.shape)) {
        for (const value of ['x', '-1', ',', ' ', 'x'.repeat(3_000)]) {
          const text = refusal(() => parseQuery(query.partial(), { [name]: value }));
          expect([value, text]).toEqual([value, expect.not.stringMatching(/invalid(?!_params)/i)]);
        }
      }
    },
  );
});

describe('a schedule', () => {
  const now = Date.UTC(2026, 10, 20);
  const at = (ms: number) => parseScheduledAt(new Date(now + ms).toISOString(), now);
  const LONGEST = 35 * 86_400_000;

  test('a scheduled time must be in the future and at most 35 days ahead, to the millisecond', () => {
    expect(at(1)).toEqual(new Date(now + 1));
    expect(at(LONGEST)).toEqual(new Date(now + LONGEST));
    for (const ms of [0, -1, LONGEST + 1]) {
      expect(refusal(() => at(ms))).toMatch(/^invalid_params: `scheduled_at` /);
    }
    expect(parseScheduledAt(undefined, now)).toBeNull();
  });
});

describe('a workspace name', () => {
  test('a workspace name is trimmed, and may then have 1 to 100 characters', () => {
    expect(parseCreateWorkspace({ name: '\t a b \n' })).toEqual({ name: 'a b' });
    expect(parseCreateWorkspace({ name: ` ${'n'.repeat(100)} ` })).toEqual({
      name: 'n'.repeat(100),
    });
  });

  test('an invalid workspace name is refused with invalid_name and the name of the field', () => {
    const wrong = [undefined, null, '', ' ', 'n'.repeat(101), 7, true, ['x'], {}, 'a\0', '\ud800'];
    for (const body of [...wrong.map((name) => ({ name })), undefined, null, 'x', 7, []]) {
      expect(refusal(() => parseCreateWorkspace(body))).toMatch(/^invalid_name: `name` /);
    }
  });
});
