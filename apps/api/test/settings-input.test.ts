import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, ask, expectRefusal, shareService } from './start-service.ts';
import {
  type Person,
  type WorkspaceClient,
  addPerson,
  clientOf,
  dataOf,
} from './workspace-client.ts';

let service: Service;
let workspace: WorkspaceFixture;
let owner: WorkspaceClient;
let person: Person;
let numberId: string;

beforeAll(async () => {
  service = await shareService();
  workspace = await service.addWorkspace();
  owner = clientOf(service, workspace, workspace.sessionToken);
  person = await addPerson(service, workspace, 'member');
  numberId = String(dataOf(await owner('/numbers'))[0]?.['id']);
});
afterAll(async () => {
  await service.close();
});

const AC = `AC${'0'.repeat(32)}`;
const good = { type: 'twilio', account_sid: AC, auth_token: 'a'.repeat(32) };
const password = 'a long enough password';
const change = { current_password: password, password: 'another long password' };
const sid = 'must be AC and 32 hexadecimal digits';
const token = 'must have 1 to 256 printable ASCII characters';
const phone = 'must be a phone number';
const NUL = 'must not contain NUL';

/** The routes with a body: their paths, their fields and invalid values. */
const BODIES: {
  route: string;
  /** Relative to the workspace, unless it begins with /api/. */
  path: () => string;
  required: string[];
  good: Record<string, unknown>;
  wrong: [field: string, value: unknown, detail: string][];
}[] = [
  {
    route: 'POST members',
    path: () => '/members',
    required: ['email', 'role'],
    good: { email: 'a@example.com', role: 'member' },
    wrong: [
      ['email', 'nobody', 'must be an email address'],
      ['email', 7, 'must be a string'],
      ['email', `${'a'.repeat(250)}@b.co`, 'must have at most 254 characters'],
      ['email', 'a\0@b.co', NUL],
      ['email', 'a\ud800@b.co', NUL],
      ['role', 'admin', 'must be owner, member or viewer'],
      ['role', ['owner'], 'must be owner, member or viewer'],
    ],
  },
  {
    route: 'PATCH members',
    path: () => `/members/${person.userId}`,
    required: ['role'],
    good: { role: 'member' },
    wrong: [
      ['role', 'Owner', 'must be owner, member or viewer'],
      ['role', true, 'must be owner, member or viewer'],
    ],
  },
  {
    route: 'POST api-keys',
    path: () => '/api-keys',
    required: ['name'],
    good: { name: 'A key' },
    wrong: [
      ['name', '   ', 'must have 1 to 100 characters'],
      ['name', 'a'.repeat(101), 'must have 1 to 100 characters'],
      ['name', 7, 'must be a string'],
      ['name', 'a\0', NUL],
    ],
  },
  {
    route: 'PUT provider',
    path: () => '/provider',
    required: ['type', 'account_sid', 'auth_token'],
    good,
    wrong: [
      ['type', 'vonage', 'must be twilio'],
      ['account_sid', `AC${'0'.repeat(31)}`, sid],
      ['account_sid', `ac${'0'.repeat(32)}`, sid],
      ['account_sid', `AC${'g'.repeat(32)}`, sid],
      ['account_sid', `${AC}\n`, sid],
      ['account_sid', 7, 'must be a string'],
      ['auth_token', 'two words', token],
      ['auth_token', 'a'.repeat(257), token],
      ['auth_token', 'žluťoučký', token],
      ['auth_token', { secret: true }, 'must be a string'],
      ['messaging_service_sid', AC, 'must be MG and 32 hexadecimal digits'],
      ['messaging_service_sid', '', 'must be MG and 32 hexadecimal digits'],
      ['on_unknown', 'ignore', 'must be resend or fail'],
    ],
  },
  {
    route: 'POST numbers',
    path: () => '/numbers',
    required: ['number'],
    good: { number: '+15551234567' },
    wrong: [
      ['number', '15551234567', phone],
      ['number', '+05551234567', phone],
      ['number', '+1 555 123 4567', phone],
      ['number', 15551234567, 'must be a string'],
      ['label', 'a'.repeat(101), 'must have at most 100 characters'],
      ['is_default', 'true', 'must be true or false'],
    ],
  },
  {
    route: 'PATCH numbers',
    path: () => `/numbers/${numberId}`,
    required: [],
    good: { label: 'Support' },
    wrong: [
      ['label', 7, 'must be a string'],
      ['label', '\udfff', NUL],
      ['is_default', 1, 'must be true or false'],
    ],
  },
  {
    route: 'POST opt-outs',
    path: () => '/opt-outs',
    required: ['number'],
    good: { number: '+15551234567' },
    wrong: [
      ['number', '+1555', phone],
      ['number', '+1555123456789012', phone],
      ['reason', ' ', 'must have 1 to 200 characters'],
      ['reason', 'a'.repeat(201), 'must have 1 to 200 characters'],
    ],
  },
  {
    route: 'POST password',
    path: () => '/api/ui/me/password',
    required: ['current_password', 'password'],
    good: change,
    wrong: [
      ['current_password', 7, 'must be a string'],
      ['current_password', 'a'.repeat(257), 'must have at most 256 bytes'],
      ['password', 'eleven byte', 'must have 12 to 256 bytes'],
      ['password', 'ž'.repeat(129), 'must have 12 to 256 bytes'],
      ['password', 'a long password\0', NUL],
    ],
  },
];

function send(path: string, route: string, body: { json?: unknown; raw?: string }) {
  const [method = ''] = route.split(' ');
  const headers = { 'content-type': 'application/json' };
  const options = { method, headers, token: workspace.sessionToken, ...body };
  return path.startsWith('/api/') ? ask(service.url, path, options) : owner(path, options);
}

describe.each(BODIES)('$route', ({ route, path, required, good: fine, wrong }) => {
  test('missing parameters are refused before invalid ones', async () => {
    const invalid = Object.fromEntries(wrong.map(([field, value]) => [field, value]));
    for (const field of required) {
      for (const value of [undefined, null, '']) {
        const json = { ...invalid, [field]: value };
        expectRefusal(await send(path(), route, { json }), 400, 'missing_params', `\`${field}\``);
      }
    }
    for (const raw of ['', 'null', '[]', '"text"', '7', '{}']) {
      expectRefusal(await send(path(), route, { raw }), 400, 'missing_params');
    }
  });

  test('invalid parameters are refused with an error that names them', async () => {
    for (const [field, value, detail] of wrong) {
      const response = await send(path(), route, { json: { ...fine, [field]: value } });
      expect(response.json, JSON.stringify([field, value])).toEqual({
        error: 'invalid_params',
        detail: expect.stringContaining(`\`${field}\` ${detail}`),
      });
    }
  });
});

test('refused settings are not stored, and unknown fields are ignored', async () => {
  const before = await service.sql('SELECT count(*) FROM audit_entries');
  expectRefusal(await send('/numbers', 'POST', { raw: '{"number":' }), 400, 'invalid_params');
  expect(await service.sql('SELECT count(*) FROM audit_entries')).toEqual(before);
  const json = { number: '+15550001111', id: numberId, workspaceId: 'x', is_default: false };
  const added = await send('/numbers', 'POST', { json });
  expect(added.status).toBe(201);
  expect(added.json?.['id']).not.toBe(numberId);
});

describe('order of the checks of settings', () => {
  const unknownMember = '/members/00000000-0000-7000-8000-000000000000';
  const broken = { headers: { 'content-type': 'application/json' }, raw: '{' };

  test('the role is checked before the resource in the path, and the resource before the body', async () => {
    const patch = { method: 'PATCH', ...broken };
    expectRefusal(await person.client(unknownMember, patch), 403, 'forbidden');
    expectRefusal(await owner(unknownMember, patch), 404, 'not_found');
    expectRefusal(await owner('/numbers/none', patch), 404, 'not_found');
    expectRefusal(await owner(`/numbers/${numberId}`, patch), 400, 'invalid_params');
  });

  test('the role is checked before the body', async () => {
    for (const path of ['/members', '/api-keys']) {
      expectRefusal(await person.client(path, { method: 'POST', ...broken }), 403, 'forbidden');
    }
    expectRefusal(await person.client('/provider', { method: 'PUT', ...broken }), 403, 'forbidden');
  });
});

describe.each(['members', 'api-keys', 'numbers', 'opt-outs', 'audit'])('list of %s', (list) => {
  test.each(['page=0', 'page=-1', 'page=1.5', 'page=x', 'page=1&page=2', 'limit=0', 'limit=ten'])(
    'a list refuses the query ?%s',
    async (query) => {
      expectRefusal(await owner(`/${list}?${query}`), 400, 'invalid_params');
    },
  );

  test('the list reduces a limit above 100 to 100 and is empty beyond its last page', async () => {
    const all = await owner(`/${list}?limit=1000`);
    const total = dataOf(all).length;
    expect(all.json?.['pagination']).toEqual({
      currentPage: 1,
      totalPages: total === 0 ? 0 : 1,
      totalItems: total,
      hasNext: false,
    });
    const page = await owner(`/${list}?page=99999999999999999999&limit=`);
    expect(dataOf(page)).toEqual([]);
    expect(page.json?.['pagination']).toMatchObject({ totalItems: total, hasNext: false });
  });
});

test.each([
  ['interval=minute', '`interval` must be hour or day'],
  ['from=2026-02-30', '`from` must be an ISO 8601 date or time'],
  ['from=2026-01-02&to=2026-01-01', '`from` must be before `to`'],
  ['from=2020-01-01&to=2026-01-01', '`from` must be at most 366 days before `to`'],
])('statistics refuse the query ?%s', async (query, detail) => {
  expectRefusal(await owner(`/stats?${query}`), 400, 'invalid_params', detail);
});
