import { request as httpRequest } from 'node:http';
import { createConnection } from 'node:net';
import { DETAILS, type Endpoint, type Route, listEndpoints } from '@switchboard/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { WorkspaceFixture } from '@switchboard/testing';
import {
  type Answer,
  type Service,
  ask,
  expectRefusal,
  speak,
  startService,
} from './start-service.ts';
import { askApp } from './tenancy/ask-app.ts';

let service: Service;
let workspace: WorkspaceFixture;
let numberId: string;
let rowsBefore: number[];

const TABLES = [
  'messages',
  'message_events',
  'idempotency_keys',
  'users',
  'workspaces',
  'members',
  'api_keys',
  'phone_numbers',
  'opt_outs',
  'provider_configurations',
];
const countAll = () => Promise.all(TABLES.map((table) => service.countRows(table)));

beforeAll(async () => {
  service = await startService({
    env: { RATE_LIMIT_MESSAGING: '100000', RATE_LIMIT_UI: '100000', ALLOW_SIGNUP: 'true' },
  });
  workspace = await service.addWorkspace();
  const [number] = await service.sql<{ id: string }>('SELECT id FROM phone_numbers');
  numberId = number?.id ?? '';
  rowsBefore = await countAll();
});
afterAll(() => service.close());

afterEach(async () => {
  // No request of this file may store a row or crash the process.
  const rows = await countAll();
  if (rows.join() !== rowsBefore.join()) throw new Error(`Rows: ${rows.join()}`);
  await ask(service.url, '/health/live');
});

const uuid = '01920000-0000-7000-8000-000000000000';
const SEND = findEndpoint('POST /api/messages');
const RENAME = findEndpoint('PATCH /api/workspace');
const endpoints = listEndpoints();
const tokenKinds = new Set(['api_key', 'session']);
const WITH_CREDENTIAL = endpoints.filter(({ credential }) => tokenKinds.has(credential));
const WITH_BODY = endpoints.filter(
  ({ route }) => route.body !== undefined && route.bodyType === undefined,
);

function findEndpoint(key: string): Endpoint {
  const found = listEndpoints().find((endpoint) => endpoint.key === key);
  if (found === undefined) throw new Error(`${key} has no definition`);
  return found;
}

/** A route looks up what its path names before it reads the body, so those things must exist. */
function pathOf({ path }: { path: string }): string {
  const things: Record<string, string> = {
    workspaceId: workspace.workspaceId,
    numberId,
    userId: workspace.userId,
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => things[name] ?? uuid);
}

function tokenFor({ credential }: Pick<Endpoint, 'credential'>): { token?: string } {
  if (credential === 'api_key') return { token: workspace.apiKey };
  return credential === 'session' ? { token: workspace.sessionToken } : {};
}

function callRoute(
  endpoint: Endpoint,
  options: { raw?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return ask(service.url, pathOf(endpoint), {
    method: endpoint.route.method,
    ...tokenFor(endpoint),
    headers: { 'content-type': 'application/json', ...options.headers },
    ...(options.raw !== undefined && { raw: options.raw }),
  });
}

describe('credentials', () => {
  test.each(WITH_CREDENTIAL)(
    '$key without a valid credential of its own scheme is refused with 401',
    async (endpoint) => {
      const isKey = endpoint.credential === 'api_key';
      const detail = isKey ? DETAILS.invalidApiKey : DETAILS.invalidSession;
      const own = tokenFor(endpoint).token ?? '';
      const other = isKey ? workspace.sessionToken : workspace.apiKey;
      const swapped = own.slice(0, -1) + (own.endsWith('A') ? 'B' : 'A');
      const wrong = [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        own,
        `Basic ${own}`,
        `Bearer ${other}`,
        `Bearer ${swapped}`,
        `Bearer ${own.slice(0, -1)}`,
        `Bearer ${own}x`,
        `Bearer ${own} x`,
        `Bearer "${own}"`,
        `Bearer ${own.toUpperCase()}`,
        `Bearer ${'x'.repeat(5000)}`,
        'Bearer \u00ff',
        "Bearer ' OR 1=1 --",
      ];
      for (const authorization of wrong) {
        const headers: Record<string, string> =
          authorization === undefined ? {} : { authorization };
        const answer = await callRaw(endpoint, headers);
        expectRefusal(answer, 401, 'unauthorized', new RegExp(`^${detail}$`));
      }
    },
  );

  test('the scheme of the Authorization header is case-insensitive', async () => {
    for (const scheme of ['bearer', 'BEARER', 'BeArEr']) {
      const answer = await ask(service.url, '/api/workspace', {
        headers: { authorization: `${scheme} ${workspace.apiKey}` },
      });
      expect(answer.status).toBe(200);
    }
  });

  test('a revoked key, an ended session and an expired session are refused with 401 immediately', async () => {
    const { apiKey, apiKeyId, sessionToken, userId } = await service.addWorkspace();
    const askBoth = async () => [
      (await ask(service.url, '/api/workspace', { token: apiKey })).status,
      (await ask(service.url, '/api/ui/me', { token: sessionToken })).status,
    ];
    expect(await askBoth()).toEqual([200, 200]);
    await service.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [apiKeyId]);
    await service.sql('UPDATE sessions SET expires_at = now() WHERE user_id = $1', [userId]);
    expect(await askBoth()).toEqual([401, 401]);
    await service.sql(
      `UPDATE sessions SET expires_at = now() + interval '1 day', last_seen_at = now() - interval '8 days'
       WHERE user_id = $1`,
      [userId],
    );
    expect(await askBoth()).toEqual([401, 401]);
    rowsBefore = await countAll();
  });
});

describe('request bodies', () => {
  const deep = '['.repeat(30_000);
  const notJson: [string, string | Uint8Array<ArrayBuffer>][] = [
    ['cut short', '{"to":"+15551230001","body":'],
    ['a word', 'hello'],
    ['single quotes', "{'to':'x'}"],
    ['a comment', '{} // x'],
    ['a comma too many', '{"to":"x",}'],
    ['two values', '{} {}'],
    ['NaN', '{"to":NaN}'],
    ['a raw line break in a string', '{"to":"a\nb"}'],
    ['a raw NUL', '{"to":"a\0b"}'],
    ['a bad escape', '{"to":"\\x41"}'],
    ['an open nest, 30,000 deep', deep],
    ['an open nest of objects', '{"a":'.repeat(10_000)],
    ['bad UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['an overlong encoding', new Uint8Array([0x22, 0xc0, 0xaf, 0x22])],
    ['a surrogate in UTF-8', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', new Uint8Array(Buffer.from('{"to":"x"}', 'utf16le'))],
    ['white space alone', '  \n '],
    ['a form', 'to=%2B15551230001&body=x'],
  ];
  test.each(WITH_BODY)(
    'a body of $key that is not JSON is refused with invalid_params',
    async (endpoint) => {
      for (const [what, raw] of notJson) {
        const answer = await callRoute(endpoint, { raw });
        expect([what, answer.status, answer.json?.['error']]).toEqual([
          what,
          400,
          'invalid_params',
        ]);
        expectRefusal(answer, 400, 'invalid_params', /JSON/);
      }
    },
  );

  test.each(WITH_BODY)(
    'a body of $key that is missing or not an object is refused with an error that says so',
    async (endpoint) => {
      const { route } = endpoint;
      const isRename = route.errors?.invalid_name !== undefined;
      const expected = isRename ? 'invalid_name' : 'missing_params';
      const closed = `${deep}${']'.repeat(30_000)}`;
      const noObjects = ['', 'null', '[]', '[{}]', '"x"', '7', 'true', closed];
      const empty = ['{}', '{"__proto__":{"name":"x"}}', '{"constructor":1}'];
      // A change without fields changes nothing.
      const fields = Object.values<Pick<NonNullable<Route['body']>, 'safeParse'>>(
        route.body?.shape ?? {},
      );
      const needsFields = fields.some((field) => !field.safeParse(undefined).success);
      for (const raw of [...noObjects, ...(needsFields ? empty : [])]) {
        const answer = await callRoute(endpoint, { raw });
        expect([raw.slice(0, 20), answer.json?.['error']]).toEqual([raw.slice(0, 20), expected]);
        expectRefusal(answer, 400, expected);
      }
      const none = await ask(service.url, pathOf(endpoint), {
        method: route.method,
        ...tokenFor(endpoint),
      });
      expectRefusal(none, 400, expected);
    },
  );

  test.each(WITH_BODY)(
    'a body of $key over 64 KiB is refused with invalid_params, with a length or chunked',
    async (endpoint) => {
      const big = JSON.stringify({ more: 'a'.repeat(65_536) });
      expectRefusal(await callRoute(endpoint, { raw: big }), 400, 'invalid_params', /64 KiB/);
      expectRefusal(
        await callRoute(endpoint, { raw: '['.repeat(100_000) }),
        400,
        'invalid_params',
        /64 KiB/,
      );
    },
  );

  test.each(WITH_BODY)(
    'a body of $key in another content type is refused with invalid_params',
    async (endpoint) => {
      const raw = '{}';
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/jsonp',
        'application/json+x',
        'text/json',
        'json',
        ';',
        'application/',
        'a/b; q="',
      ]) {
        const answer = await callRoute(endpoint, { raw, headers: { 'content-type': type } });
        expect([type, answer.status, answer.json?.['error']]).toEqual([
          type,
          400,
          'invalid_params',
        ]);
        expectRefusal(answer, 400, 'invalid_params', /Content-Type|content type/);
      }
    },
  );

  test('the content type of a body is case-insensitive and may have parameters', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'Application/JSON',
      'application/json ; x=y',
    ]) {
      const answer = await callRoute(RENAME, {
        raw: '{"name":"Test workspace"}',
        headers: { 'content-type': type },
      });
      expect([type, answer.status]).toEqual([type, 200]);
    }
  });

  test('a body of exactly 64 KiB is accepted', async () => {
    const frame = JSON.stringify({ name: 'Test workspace', pad: '' }).length;
    const raw = JSON.stringify({ name: 'Test workspace', pad: 'a'.repeat(65_536 - frame) });
    expect((await callRoute(RENAME, { raw })).status).toBe(200);
  });

  test('of duplicate names in a JSON body, the last one counts', async () => {
    const answer = await callRoute(RENAME, {
      raw: '{"name":"a","name":"Last"}',
    });
    expect(answer.status).toBe(200);
    const { json } = await ask(service.url, '/api/workspace', { token: workspace.apiKey });
    expect(json?.['name']).toBe('Last');
  });

  test('a parameter with an escaped NUL or a lone surrogate is refused with an error that names it', async () => {
    for (const escape of ['\\ud800', '\\udfff', '\\u0000']) {
      const to = await callRoute(SEND, { raw: `{"to":"+1555${escape}","body":"x"}` });
      expectRefusal(to, 400, 'invalid_params', /`to`/);
      const body = await callRoute(SEND, { raw: `{"to":"+15551230001","body":"${escape}"}` });
      expectRefusal(body, 400, 'invalid_params', /`body`/);
      expectRefusal(
        await callRoute(RENAME, { raw: `{"name":"${escape}"}` }),
        400,
        'invalid_name',
        /`name`/,
      );
      const email = await callRoute(findEndpoint('POST /api/ui/sessions'), {
        raw: `{"email":"${escape}","password":"x"}`,
      });
      expectRefusal(email, 400, 'invalid_params', /`email`/);
    }
  });

  const withoutBody = WITH_CREDENTIAL.filter(
    ({ route }) => route.method === 'GET' || (route.method === 'POST' && route.body === undefined),
  );

  test.each(withoutBody)(
    '$key accepts an empty body with a JSON content type',
    async (endpoint) => {
      const answer = await callRoute(endpoint);
      expect([200, 404]).toContain(answer.status);
    },
  );
});

describe('unknown routes', () => {
  const paths = [
    '/api',
    '/api/',
    '/api/nope',
    '/api/messages/',
    '/api/v1/messages',
    '/api/Messages',
    '/api/messages/x/y/z',
    '/api/ui',
    '/api/ui/workspaces/',
    '/api/webhooks/twilio',
    '/api/messages;x=1',
    '/api//messages',
    '/api/..%2fetc/passwd',
  ];

  test.each(paths)(
    'the unknown route %s is 404 with any method, body and content type, and without a credential',
    async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const answer = await ask(service.url, path, { method });
        expect([method, answer.status]).toEqual([method, 404]);
        expectRefusal(answer, 404, 'not_found');
      }
      const bodies = [
        ['application/json', '{'],
        ['text/plain', 'hello'],
        ['application/json', 'a'.repeat(70_000)],
      ] as const;
      for (const [type, raw] of bodies) {
        const answer = await ask(service.url, path, { raw, headers: { 'content-type': type } });
        expectRefusal(answer, 404, 'not_found');
      }
    },
  );

  test.each([
    'PUT',
    'DELETE',
    'OPTIONS',
    'PROPFIND',
    'TRACE',
    'REPORT',
    'LOCK',
    'MKCOL',
    'SEARCH',
    'PURGE',
    'QUERY',
    'BREW',
    'SUBSCRIBE',
    'M-SEARCH',
  ])('the unsupported method %s is answered with 404, not 405', async (method) => {
    for (const path of ['/api/messages', '/api/workspace', '/api/ui/me', '/health/live']) {
      const { status, headers, body } = await askRaw(method, path);
      expect([path, status]).toEqual([path, 404]);
      expect(JSON.parse(body)).toEqual({ error: 'not_found', detail: expect.any(String) });
      expect(headers['x-request-id']).toBeTruthy();
    }
  });

  test('HEAD responds like GET, without a body', async () => {
    const head = await ask(service.url, '/api/workspace', {
      method: 'HEAD',
      token: workspace.apiKey,
    });
    expect([head.status, head.text]).toEqual([200, '']);
    const refused = await ask(service.url, '/api/workspace', { method: 'HEAD' });
    expect([refused.status, refused.text]).toEqual([401, '']);
  });
});

describe('paths and queries', () => {
  test('a path with invalid percent-encoding is refused with a documented error', async () => {
    for (const path of [
      '/api/messages/%',
      '/api/messages/%zz',
      '/api/messages/%ff%fe',
      '/api/%',
      '/%E0%A4%A',
      '/api/messages/%c0%af',
      '/api/messages/%ed%a0%80',
    ]) {
      const answer = await ask(service.url, path, { token: workspace.apiKey });
      expect([path, [400, 404].includes(answer.status)]).toEqual([path, true]);
      expectRefusal(answer, answer.status, answer.status === 400 ? 'invalid_params' : 'not_found');
    }
  });

  test.each([
    '%00',
    'SM%00',
    "'%20OR%201=1--",
    '%2e%2e%2f',
    '%F0%9F%98%80',
    '%0d%0aSet-Cookie:x',
    'null',
    'undefined',
    '-1',
    '0',
    uuid.replaceAll('-', ''),
    `{${uuid}}`,
    uuid.toUpperCase(),
  ])('the message id %s does not exist and is 404', async (id) => {
    for (const [method, path] of [
      ['GET', `/api/messages/${id}`],
      ['POST', `/api/messages/${id}/cancel`],
    ] as const) {
      expectRefusal(
        await ask(service.url, path, { method, token: workspace.apiKey }),
        404,
        'not_found',
      );
    }
    const ui = `/api/ui/workspaces/${workspace.workspaceId}/messages/${id}`;
    expectRefusal(await ask(service.url, ui, { token: workspace.sessionToken }), 404, 'not_found');
    const other = `/api/ui/workspaces/${id}`;
    expectRefusal(
      await ask(service.url, other, { token: workspace.sessionToken }),
      404,
      'not_found',
    );
  });

  test('a very long path parameter is 404', async () => {
    for (const length of [101, 5_000, 12_000]) {
      const id = 'a'.repeat(length);
      expectRefusal(
        await ask(service.url, `/api/messages/${id}`, { token: workspace.apiKey }),
        404,
        'not_found',
      );
      expectRefusal(
        await ask(service.url, `/api/ui/workspaces/${id}`, { token: workspace.sessionToken }),
        404,
        'not_found',
      );
    }
  });

  test('a query with invalid encoding is read literally or refused with an error that names the parameter', async () => {
    for (const query of [
      'to=%',
      'to=%zz',
      'to=%ff',
      'to=%ed%a0%80',
      '&&&=&=x',
      '__proto__=1',
      'constructor=1&toString=2',
      'unknown=1&unknown=2',
    ]) {
      const { status } = await ask(service.url, `/api/messages?${query}`, {
        token: workspace.apiKey,
      });
      expect([query, [200, 400].includes(status)]).toEqual([query, true]);
    }
    const nul = await ask(service.url, '/api/messages?to=%00', { token: workspace.apiKey });
    expectRefusal(nul, 400, 'invalid_params', /`to`/);
  });
});

/** Parses a response that was read from a socket. */
function parseAnswers(
  received: string,
): { status: number; head: string; body: Record<string, unknown> | null }[] {
  return received
    .split(/(?=HTTP\/1\.1 )/)
    .filter((part) => part !== '' && !part.startsWith('HTTP/1.1 100'))
    .map((part) => {
      const [head = '', body = ''] = part.split('\r\n\r\n');
      return {
        status: Number(head.split(' ')[1]),
        head: head.toLowerCase(),
        body: body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : null,
      };
    });
}

function expectRawRefusal(received: string, status: number, error: string): void {
  const answer = parseAnswers(received).at(-1);
  expect([answer?.status, answer?.body]).toEqual([status, { error, detail: expect.any(String) }]);
  expect(answer?.head).toContain('x-request-id:');
  expect(answer?.head).toContain('content-type: application/json');
}

describe('broken HTTP', () => {
  const host = 'Host: x\r\n';

  test.each([
    ['no HTTP', 'hello there\r\n\r\n'],
    [
      'a TLS handshake',
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
    ],
    ['an unknown version', `GET /api/messages HTTP/9.9\r\n${host}\r\n`],
    ['no Host', 'GET /api/messages HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['a space in the path', `GET /api/mess ages HTTP/1.1\r\n${host}\r\n`],
    ['a control character in a header', `GET /api/messages HTTP/1.1\r\n${host}X-A: a\x00b\r\n\r\n`],
    ['a header without a name', `GET /api/messages HTTP/1.1\r\n${host}: x\r\n\r\n`],
    ['a space before the colon', `GET /api/messages HTTP/1.1\r\n${host}X-A : b\r\n\r\n`],
    [
      'a Content-Length that is not a number',
      `POST /api/messages HTTP/1.1\r\n${host}Content-Length: x\r\n\r\n`,
    ],
    [
      'a negative Content-Length',
      `POST /api/messages HTTP/1.1\r\n${host}Content-Length: -5\r\n\r\n`,
    ],
    [
      'two Content-Length headers',
      `POST /api/messages HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    ],
    [
      'a Content-Length together with chunks',
      `POST /api/messages HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'an unsupported transfer encoding',
      `POST /api/messages HTTP/1.1\r\n${host}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    ],
    ['headers of 20 KB', `GET /api/messages HTTP/1.1\r\n${host}X-A: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['a path of 20 KB', `GET /api/messages?to=${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`],
  ])('%s is answered with 400 in JSON, and the connection is closed', async (_name, bytes) => {
    expectRawRefusal(await speak(service.url, [bytes]), 400, 'invalid_params');
  });

  test('a broken second request on a connection is answered with 400 as well', async () => {
    const good = `GET /health/live HTTP/1.1\r\n${host}\r\n`;
    const broken = [
      `GET / HTTP/1.1\r\n${host}X-A: ${'a'.repeat(20_000)}\r\n\r\n`,
      'nonsense\r\n\r\n',
    ];
    for (const bytes of broken) {
      const received = await speakInTurn(good, bytes);
      expect(parseAnswers(received).map(({ status }) => status)).toEqual([200, 400]);
      expectRawRefusal(received, 400, 'invalid_params');
    }
  });

  test('broken chunks are answered with 400, unless the response has already started', async () => {
    const head = `POST /api/messages HTTP/1.1\r\n${host}Authorization: Bearer ${workspace.apiKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    for (const chunk of ['xyz\r\n', '-1\r\n', 'fffffffffffffffffff\r\n', '2\r\n{}x\r\n0\r\n\r\n']) {
      expectRawRefusal(await speak(service.url, [head + chunk]), 400, 'invalid_params');
    }
  });

  test('a chunked body over 64 KiB is refused like any other', async () => {
    const head = `POST /api/messages HTTP/1.1\r\n${host}Connection: close\r\nAuthorization: Bearer ${workspace.apiKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
    const received = await speak(service.url, [
      head,
      ...Array.from({ length: 8 }, () => chunk),
      '0\r\n\r\n',
    ]);
    expectRawRefusal(received, 400, 'invalid_params');
  });

  test('a body with a Content-Length over the limit is refused before it is sent', async () => {
    const head = `POST /api/messages HTTP/1.1\r\n${host}Connection: close\r\nAuthorization: Bearer ${workspace.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n`;
    expectRawRefusal(await speak(service.url, [head]), 400, 'invalid_params');
  });

  test('a client that disconnects during its request does not affect other requests', async () => {
    const head = `POST /api/messages HTTP/1.1\r\n${host}Authorization: Bearer ${workspace.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"to":`;
    for (const bytes of ['POST /api/mess', head]) await hangUpAfter(bytes);
    expect((await ask(service.url, '/health/live')).status).toBe(200);
  });

  test('Expect: 100-continue is supported, and other expectations are refused in JSON', async () => {
    const request = (expectation: string) =>
      `PATCH /api/workspace HTTP/1.1\r\n${host}Connection: close\r\nAuthorization: Bearer ${workspace.apiKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: 18\r\nExpect: ${expectation}\r\n\r\n{"name":"Expected"}`.slice(
        0,
        1000,
      );
    const honoured = await speak(service.url, [request('100-continue').replace('18', '19')]);
    expect(honoured).toMatch(/^HTTP\/1\.1 100 Continue/);
    expect(parseAnswers(honoured).at(-1)?.status).toBe(200);
    expectRawRefusal(await speak(service.url, [request('a-miracle')]), 400, 'invalid_params');
  });

  test('a request that offers to upgrade to another protocol is answered normally', async () => {
    const json = JSON.stringify({ name: 'Upgraded' });
    for (const [connection, protocol] of [
      ['Upgrade, HTTP2-Settings', 'h2c'],
      ['upgrade', 'websocket'],
      ['upgrade', 'TLS/1.0'],
    ]) {
      // The HTTP client of Java's standard library sends this by default.
      const head =
        `PATCH /api/workspace HTTP/1.1\r\n${host}Connection: ${connection}\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\n` +
        `Authorization: Bearer ${workspace.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n`;
      const close = `GET /health/live HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
      const received = await speak(service.url, [head, json, close]);
      expect([protocol, parseAnswers(received).map(({ status }) => status)]).toEqual([
        protocol,
        [200, 200],
      ]);
      const refused = await speak(service.url, [
        `GET /api/workspace HTTP/1.1\r\n${host}Connection: ${connection}\r\nUpgrade: ${protocol}\r\n\r\n`,
        close,
      ]);
      expectRawRefusal(refused.split(/(?=HTTP\/1\.1 200)/)[0] ?? '', 401, 'unauthorized');
    }
  });

  test('pipelined requests with and without an upgrade are all answered in order', async () => {
    const plain = `GET /api/workspace HTTP/1.1\r\n${host}Authorization: Bearer ${workspace.apiKey}\r\n\r\n`;
    const upgrade = (protocol: string) =>
      plain.replace('\r\n\r\n', `\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
    const close = `GET /health/live HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
    const pair = [plain, upgrade('h2c'), upgrade('websocket')];
    const requests = Array.from({ length: 10 }, () => pair).flat();
    const received = await speak(service.url, [[...requests, close].join('')]);
    const statuses = parseAnswers(received).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 31 }, () => 200));
    // Node prints a warning when listeners accumulate on a connection.
    expect(service.apis[0]?.logs.filter((line) => line.includes('MaxListeners'))).toEqual([]);
  });

  test('a WebSocket that is pipelined behind other requests opens after their responses', async () => {
    const headers = `${host}Authorization: Bearer ${workspace.apiKey}\r\n`;
    const plain = `GET /api/workspace HTTP/1.1\r\n${headers}\r\n`;
    const handshake =
      `GET /api/events HTTP/1.1\r\n${headers}Connection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
    // An unmasked frame is an error, so the service closes the connection.
    const received = await speak(service.url, [
      plain + plain + handshake,
      Buffer.from([0x81, 0x00]),
    ]);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([
      'HTTP/1.1 200',
      'HTTP/1.1 200',
      'HTTP/1.1 101',
    ]);
  });

  test('a request with many headers is processed completely or refused', async () => {
    const many = Array.from({ length: 1500 }, (_, n) => `X-${n}: 1\r\n`).join('');
    const received = await speak(service.url, [
      `GET /health/live HTTP/1.1\r\n${host}Connection: close\r\n${many}\r\n`,
    ]);
    expect([200, 400]).toContain(parseAnswers(received).at(-1)?.status);
  });
});

test('a valid x-request-id is kept, and an invalid one is replaced', async () => {
  const send = (id: string) => ask(service.url, '/api/nope', { headers: { 'x-request-id': id } });
  expect((await send('my-request.1')).headers.get('x-request-id')).toBe('my-request.1');
  for (const id of ['a b', 'a'.repeat(129), '<script>', '']) {
    expect((await send(id)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

/** Calls an endpoint with these headers alone; an upgrade where the route answers with a WebSocket. */
async function callRaw(endpoint: Endpoint, headers: Record<string, string>): Promise<Answer> {
  const { route } = endpoint;
  if (route.answer.status !== 101) {
    return ask(service.url, pathOf(endpoint), { method: route.method, headers });
  }
  const path = pathOf(endpoint);
  const { status, body } = await askApp(service.url, {
    method: 'GET',
    path,
    headers,
    upgrade: true,
  });
  const json = JSON.parse(body) as Record<string, unknown>;
  return { status, text: body, json, headers: new Headers(JSON_ANSWER) };
}

const JSON_ANSWER = { 'content-type': 'application/json', 'x-request-id': 'of the upgrade' };

/** Writes the second part after the response to the first. */
function speakInTurn(first: string, second: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const socket = createConnection(Number(port), hostname, () => socket.write(first));
    let received = '';
    socket.setTimeout(5_000, () => {
      socket.destroy();
      reject(new Error(`The connection stays open after: ${received}`));
    });
    socket.on('data', (chunk) => {
      const isFirst = received === '';
      received += chunk.toString();
      if (isFirst) socket.write(second);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}

function hangUpAfter(bytes: string): Promise<void> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(service.url);
    const socket = createConnection(Number(port), hostname, () => {
      socket.write(bytes, () => socket.resetAndDestroy());
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}

/** Sends methods that `fetch` refuses. */
function askRaw(method: string, path: string) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const asked = httpRequest(service.url + path, { method, agent: false }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      });
      asked.on('error', reject);
      asked.end();
    },
  );
}
