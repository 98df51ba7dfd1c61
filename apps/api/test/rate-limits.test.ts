import { numbersTo, sendEach } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ApiResponse,
  BACKENDS,
  type Service,
  ask,
  expectRefusal,
  startService,
} from './start-service.ts';

const TO = '+15551230001';

/** Returns the three rate limit headers as numbers. */
function limitsOf({ headers }: ApiResponse): { limit: number; remaining: number; reset: number } {
  const read = (name: string) => {
    const value = headers.get(`x-ratelimit-${name}`);
    expect(value).toMatch(/^\d+$/);
    return Number(value);
  };
  return { limit: read('limit'), remaining: read('remaining'), reset: read('reset') };
}

describe.each(BACKENDS)('rate limits on %s with two processes', (backend) => {
  let service: Service;

  beforeAll(async () => {
    // Keys have the default limit, as in the specification.
    service = await startService({
      backend,
      apis: 2,
      env: { RATE_LIMIT_UI: '20', RATE_LIMIT_WORKSPACE: '250' },
    });
  });
  afterAll(() => service.close());

  const urlOf = (n: number): string => service.apis[n % 2]?.url ?? '';
  const times = (count: number, run: (n: number) => Promise<ApiResponse>): Promise<ApiResponse[]> =>
    sendEach(numbersTo(count), run, { status: [200, 201, 404, 429] });

  function expectOnlyAccepted(
    responses: readonly ApiResponse[],
    accepted: number,
    limit: number,
  ): void {
    const refused = responses.filter(({ status }) => status === 429);
    expect(responses.length - refused.length).toBe(accepted);
    for (const response of refused) {
      expectRefusal(response, 429, 'rate_limited');
      const { remaining, reset } = limitsOf(response);
      expect([response.headers.get('x-ratelimit-limit'), remaining]).toEqual([String(limit), 0]);
      expect(response.headers.get('retry-after')).toBe(String(reset));
      expect(reset).toBeGreaterThan(0);
      expect(reset).toBeLessThanOrEqual(60);
    }
    const left = responses
      .filter(({ status }) => status !== 429)
      .map((response) => limitsOf(response).remaining);
    expect(left.toSorted((a, b) => b - a)).toEqual(
      Array.from({ length: accepted }, (_, n) => limit - 1 - n),
    );
  }

  test('of 130 sends with one API key, 12 at a time, exactly 100 are accepted and stored', async () => {
    const { apiKey, workspaceId } = await service.addWorkspace();
    const responses = await times(130, (n) =>
      ask(urlOf(n), '/api/messages', { token: apiKey, json: { to: TO, body: `n ${n}` } }),
    );
    expectOnlyAccepted(responses, 100, 100);
    const [row] = await service.sql(
      'SELECT count(*)::int AS n FROM messages WHERE workspace_id = $1',
      [workspaceId],
    );
    expect(row).toEqual({ n: 100 });
  });

  test('every authenticated request counts, including reads, refused requests, replays and unknown messages', async () => {
    const { apiKey: token } = await service.addWorkspace();
    const send = { token, json: { to: TO, body: 'x' }, headers: { 'idempotency-key': 'k' } };
    const kinds: [number, () => Promise<ApiResponse>][] = [
      [201, () => ask(urlOf(0), '/api/messages', send)],
      [201, () => ask(urlOf(1), '/api/messages', send)],
      [200, () => ask(urlOf(0), '/api/messages', { token })],
      [400, () => ask(urlOf(1), '/api/messages', { token, json: {} })],
      [
        400,
        () =>
          ask(urlOf(0), '/api/messages', {
            token,
            raw: '{',
            headers: { 'content-type': 'application/json' },
          }),
      ],
      [
        400,
        () =>
          ask(urlOf(1), '/api/messages', {
            token,
            raw: 'x',
            headers: { 'content-type': 'text/plain' },
          }),
      ],
      [404, () => ask(urlOf(0), '/api/messages/unknown', { token })],
      [
        403,
        () =>
          ask(urlOf(1), '/api/messages', {
            token,
            json: { to: TO, body: 'x', from: '+15005550077' },
          }),
      ],
      [200, () => ask(urlOf(0), '/api/workspace', { token })],
      [400, () => ask(urlOf(1), '/api/workspace', { method: 'PATCH', token, json: {} })],
      [200, () => ask(urlOf(0), '/api/workspace', { method: 'HEAD', token })],
    ];
    for (const [index, [status, run]] of kinds.entries()) {
      const response = await run();
      expect(response.status).toBe(status);
      expect(limitsOf(response)).toMatchObject({ limit: 100, remaining: 99 - index });
    }
  });

  test('a request without authentication does not count and has no rate limit headers', async () => {
    const { apiKey: token } = await service.addWorkspace();
    for (const path of ['/api/messages', '/api/workspace', '/api/nope', '/health/live']) {
      const { headers } = await ask(urlOf(0), path);
      expect(headers.get('x-ratelimit-limit')).toBeNull();
    }
    expect(limitsOf(await ask(urlOf(0), '/api/workspace', { token })).remaining).toBe(99);
  });

  test('each API key of a workspace has its own limit, and sessions do not count toward it', async () => {
    const first = await service.addWorkspace();
    const second = await service.addWorkspace();
    await service.sql('UPDATE api_keys SET workspace_id = $2 WHERE id = $1', [
      second.apiKeyId,
      first.workspaceId,
    ]);
    await times(3, (n) => ask(urlOf(n), '/api/workspace', { token: first.apiKey }));
    await ask(urlOf(0), '/api/ui/me', { token: first.sessionToken });
    const other = await ask(urlOf(0), '/api/workspace', { token: second.apiKey });
    expect(limitsOf(other).remaining).toBe(99);
    expect(limitsOf(await ask(urlOf(1), '/api/workspace', { token: first.apiKey })).remaining).toBe(
      96,
    );
  });

  test('the API keys of a workspace share its limit, and refused requests do not count toward it', async () => {
    const workspaces = await Promise.all(Array.from({ length: 4 }, () => service.addWorkspace()));
    const [first] = workspaces;
    await service.sql('UPDATE api_keys SET workspace_id = $1 WHERE id = ANY($2::uuid[])', [
      first?.workspaceId,
      workspaces.map(({ apiKeyId }) => apiKeyId),
    ]);
    const [noisy = '', ...others] = workspaces.map(({ apiKey }) => apiKey);
    const askAs = (token: string, n: number) => ask(urlOf(n), '/api/workspace', { token });
    const noise = await times(180, (n) => askAs(noisy, n));
    expect(noise.filter(({ status }) => status === 200)).toHaveLength(100);
    // The workspace has 150 requests left, each other key 100.
    const responses = await times(210, (n) => askAs(others[n % 3] ?? '', n));
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(60);
    for (const response of refused) {
      expectRefusal(response, 429, 'rate_limited', 'from the whole workspace');
      expect(limitsOf(response)).toMatchObject({ limit: 250, remaining: 0 });
    }
    // Members may still read, but their sends share the limit with the keys.
    const { sessionToken: token, workspaceId } = first ?? { sessionToken: '', workspaceId: '' };
    const path = `/api/ui/workspaces/${workspaceId}/messages`;
    expect((await ask(urlOf(0), path, { token })).status).toBe(200);
    const sent = await ask(urlOf(1), path, { token, json: { to: TO, body: 'x' } });
    expectRefusal(sent, 429, 'rate_limited', 'from the whole workspace');
  });

  test('a user has one limit for all their sessions, including refused requests', async () => {
    const owner = await service.addWorkspace();
    const { json } = await ask(urlOf(0), '/api/ui/sessions', {
      json: { email: owner.email, password: owner.password },
    });
    const tokens = [owner.sessionToken, String(json?.['token'])];
    const foreign = '/api/ui/workspaces/01920000-0000-7000-8000-000000000000';
    const responses = await times(30, (n) =>
      ask(urlOf(n), n % 3 === 0 ? foreign : '/api/ui/me', {
        token: tokens[n % 4 < 2 ? 0 : 1] ?? '',
      }),
    );
    expectOnlyAccepted(responses, 20, 20);
  });

  test('the rate limit is checked after the credential and before everything else', async () => {
    const { apiKey: token } = await service.addWorkspace();
    await times(100, (n) => ask(urlOf(n), '/api/workspace', { token }));
    const limited = await ask(urlOf(0), '/api/messages', {
      token,
      raw: '{',
      headers: { 'content-type': 'application/json' },
    });
    expectRefusal(limited, 429, 'rate_limited');
    expectRefusal(await ask(urlOf(0), '/api/messages/nope', { token }), 429, 'rate_limited');
    expectRefusal(
      await ask(urlOf(0), '/api/messages', { token: `${token}x` }),
      401,
      'unauthorized',
    );
    // An unknown route needs no credential and does not count.
    expectRefusal(await ask(urlOf(0), '/api/nope', { token }), 404, 'not_found');
  });
});

test('a rate limit window starts with the first request and ends a minute later', async () => {
  const service = await startService({ env: { RATE_LIMIT_MESSAGING: '3' } });
  try {
    const { apiKey: token, apiKeyId } = await service.addWorkspace();
    const call = () => ask(service.url, '/api/workspace', { token });
    const first = limitsOf(await call());
    expect(first).toEqual({ limit: 3, remaining: 2, reset: 60 });
    await call();
    await call();
    expect((await call()).status).toBe(429);
    // Moves the window in the database by one minute.
    const moved = await service.sql(
      `UPDATE rate_limits SET expire = expire - 60000 WHERE key LIKE '%' || $1 RETURNING 1`,
      [apiKeyId],
    );
    expect(moved).toHaveLength(1);
    expect(limitsOf(await call())).toEqual({ limit: 3, remaining: 2, reset: 60 });
  } finally {
    await service.close();
  }
});

test('a rate limit of `none` allows all requests, and responses have no rate limit headers', async () => {
  const service = await startService({
    env: { RATE_LIMIT_MESSAGING: 'none', RATE_LIMIT_UI: 'none' },
  });
  try {
    const { apiKey, sessionToken } = await service.addWorkspace();
    // Without `ask`, which expects the documented headers.
    const call = (path: string, token: string) =>
      fetch(service.url + path, { headers: { authorization: `Bearer ${token}` } });
    const responses = await sendEach(numbersTo(150), () => call('/api/workspace', apiKey), {
      status: 200,
    });
    responses.push(await call('/api/ui/me', sessionToken));
    for (const { status, headers } of responses) {
      expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, null]);
    }
    expect(await service.countRows('rate_limits')).toBe(0);
  } finally {
    await service.close();
  }
});

test('the limit of a workspace is ten times that of an API key by default', async () => {
  const service = await startService({ env: { RATE_LIMIT_MESSAGING: '2' } });
  try {
    const { apiKey: token, workspaceId } = await service.addWorkspace();
    const count = (points: number) =>
      service.sql('UPDATE rate_limits SET points = $1 WHERE key = $2', [
        points,
        `limit:workspace:${workspaceId}`,
      ]);
    const call = () => ask(service.url, '/api/workspace', { token });
    expect((await call()).status).toBe(200);
    await count(19);
    expect(limitsOf(await call())).toMatchObject({ limit: 2, remaining: 0 });
    await service.sql(`DELETE FROM rate_limits WHERE key LIKE 'limit:messaging:%'`);
    expect(limitsOf(await call())).toMatchObject({ limit: 20, remaining: 0 });
  } finally {
    await service.close();
  }
});
