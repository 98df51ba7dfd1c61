import { expect, test } from 'vitest';
import { findUndocumented } from './documented.ts';

// These tests cover the check of responses against the OpenAPI documents, which every test of the
// API uses.

const ID = '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36';
const counted = {
  'x-ratelimit-limit': '100',
  'x-ratelimit-remaining': '99',
  'x-ratelimit-reset': '60',
};

function find(
  address: string,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const [method = '', path = ''] = address.split(' ');
  return findUndocumented(method, path, {
    status,
    headers: new Headers({
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'r',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...headers,
    }),
    text: JSON.stringify(body),
  });
}

const sent = { id: ID, sid: ID, status: 'queued' };
const refused = (error: string) => ({ error, detail: 'Why' });

test('a documented response passes the check', () => {
  expect(find('POST /api/messages', 201, sent, counted)).toBeNull();
  expect(find('POST /api/messages', 400, refused('missing_params'))).toBeNull();
  expect(find(`GET /api/messages/${ID}?x=1`, 404, refused('not_found'))).toBeNull();
  expect(find('GET /api/nowhere', 404, refused('not_found'))).toBeNull();
});

test('a response without nosniff or no-store fails the check', () => {
  const response = (headers: Record<string, string>) =>
    find('POST /api/messages', 400, refused('missing_params'), headers);
  expect(response({ 'x-content-type-options': '' })).toContain('nosniff');
  expect(response({ 'cache-control': 'private' })).toContain('no-store');
});

test.each([
  ['another status', find('POST /api/messages', 200, sent, counted)],
  ['an unknown field', find('POST /api/messages', 201, { ...sent, more: 1 }, counted)],
  ['a missing field', find('POST /api/messages', 201, { id: ID, status: 'queued' }, counted)],
  ['an unknown status', find('POST /api/messages', 201, { ...sent, status: 'lost' }, counted)],
  ['a malformed id', find('POST /api/messages', 201, { ...sent, id: '1' }, counted)],
  ['no rate-limit headers', find('POST /api/messages', 201, sent)],
  ['a code of other routes', find('POST /api/messages', 400, refused('invalid_name'))],
  ['a code with another status', find('POST /api/messages', 400, refused('forbidden'))],
  [
    'an error with a further field',
    find('GET /api/ui/me', 401, { ...refused('unauthorized'), at: 1 }),
  ],
  ['no Retry-After header', find('GET /api/ui/me', 503, refused('service_unavailable'))],
  [
    'a response of another content type',
    find('GET /health/live', 200, { status: 'ok' }, { 'content-type': 'text/html' }),
  ],
  ['a success on an unknown route', find('GET /api/nowhere', 200, {})],
  [
    'a time with microseconds',
    find(
      `GET /api/workspace`,
      200,
      {
        id: ID,
        name: 'x',
        require_second_factor: false,
        encoding: 'as_is',
        created_at: '2026-11-20T04:33:00.123456Z',
        provider_configured: true,
        default_number: null,
      },
      counted,
    ),
  ],
])('a response with %s fails the check', (_what, found) => {
  expect(found).not.toBeNull();
});
