import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ChildProcess,
  type RedisServer,
  numbersTo,
  sendEach,
  startApi,
  startRedis,
} from '@switchboard/testing';
import {
  type ApiResponse,
  BACKENDS,
  type Service,
  ask,
  expectRefusal,
  startService,
} from './start-service.ts';

/** Over two processes, each of which computes two hashes at a time. */
const LOGINS_AT_ONCE = 6;
const UI = { RATE_LIMIT_UI: '100000', RATE_LIMIT_MESSAGING: '100000' };

describe.each(BACKENDS)('login on %s', (backend) => {
  let service: Service;
  let redis: RedisServer | null = null;
  let apis: ChildProcess[];

  // Each test uses its own client address, behind a trusted proxy.
  beforeAll(async () => {
    service = await startService({ env: { ...UI } });
    redis = backend === 'Redis' ? await startRedis() : null;
    const env = {
      ...UI,
      DATABASE_URL: service.database.url,
      TRUST_PROXY: '1',
      ...(redis !== null && { REDIS_URL: redis.url }),
    };
    apis = await Promise.all([startApi(env), startApi(env)]);
  });
  afterAll(async () => {
    await Promise.all(apis.map((api) => api.stop()));
    await redis?.close();
    await service.close();
  });

  let addresses = 0;
  const newAddress = () => `203.0.113.${(addresses += 1)}`;
  const logIn = (address: string, json: unknown, api = 0): Promise<ApiResponse> =>
    ask(apis[api]?.url ?? '', '/api/ui/sessions', {
      json,
      headers: { 'x-forwarded-for': address },
    });

  test('a login returns a token that works until its own logout', async () => {
    const { email, password, userId } = await service.addWorkspace();
    const address = newAddress();
    const [first, second] = [
      await logIn(address, { email, password }),
      await logIn(address, { email: email.toUpperCase(), password }),
    ];
    expect(first.status).toBe(201);
    expect(first.json).toStrictEqual({
      token: expect.stringMatching(/^[A-Za-z0-9._-]+$/),
      expires_at: expect.stringMatching(/\.\d{3}Z$/),
      user: { id: userId, email, name: 'Owner' },
    });
    const [a, b] = [String(first.json?.['token']), String(second.json?.['token'])];
    expect(a).not.toBe(b);
    const [stored] = await service.sql<{ t: string }>(
      "SELECT string_agg(sessions::text, ' ') AS t FROM sessions",
    );
    expect(stored?.t).not.toContain(a);
    const out = await ask(apis[0]?.url ?? '', '/api/ui/sessions/current', {
      method: 'DELETE',
      token: a,
    });
    expect([out.status, out.json]).toEqual([200, { ok: true }]);
    for (const api of apis) {
      expectRefusal(
        await ask(api.url, '/api/ui/me', { token: a }),
        401,
        'unauthorized',
        /^Invalid or missing session token$/,
      );
      expect((await ask(api.url, '/api/ui/me', { token: b })).status).toBe(200);
    }
    expectRefusal(
      await ask(apis[0]?.url ?? '', '/api/ui/sessions/current', { method: 'DELETE', token: a }),
      401,
      'unauthorized',
    );
  });

  test('a login with invalid parameters is refused and does not count as a failure', async () => {
    const { email, password } = await service.addWorkspace();
    const address = newAddress();
    const wrong: [unknown, string, RegExp][] = [
      [{}, 'missing_params', /`email`, `password`/],
      [{ email }, 'missing_params', /`password`/],
      [{ email: '', password }, 'missing_params', /`email`/],
      [{ email: null, password: 7 }, 'missing_params', /`email`/],
      [{ email: 7, password }, 'invalid_params', /`email`/],
      [{ email: [email], password }, 'invalid_params', /`email`/],
      [{ email, password: 7 }, 'invalid_params', /`password`/],
      [{ email, password: { $ne: null } }, 'invalid_params', /`password`/],
      [{ email, password: 'p'.repeat(257) }, 'invalid_params', /`password`/],
      [{ email: `${email}\0`, password }, 'invalid_params', /`email`/],
      [{ email, password: '\ud800' }, 'invalid_params', /`password`/],
    ];
    for (const [json, error, detail] of wrong) {
      for (let n = 0; n < 2; n += 1) expectRefusal(await logIn(address, json), 400, error, detail);
    }
    expect((await logIn(address, { email, password })).status).toBe(201);
  });

  test('an unknown account and a wrong password have the same response and response time', async () => {
    const { email } = await service.addWorkspace();
    const time = async (account: string) => {
      const began = performance.now();
      const response = await logIn(newAddress(), { email: account, password: 'not the password' });
      expectRefusal(response, 401, 'unauthorized', /^Wrong email or password$/);
      return { ms: performance.now() - began, text: response.text };
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      const [right, wrong] = [await time(email), await time(`nobody-${n}@example.com`)];
      expect(wrong.text).toBe(right.text);
      known.push(right.ms);
      unknown.push(wrong.ms);
    }
    const fastest = (list: number[]) => Math.min(...list);
    // Without a hash, the response would take a tenth of the time. A busy machine may double it.
    expect(fastest(unknown)).toBeGreaterThan(fastest(known) / 4);
    expect(fastest(known)).toBeGreaterThan(fastest(unknown) / 4);
  });

  test('after 10 failed logins to an account from one client address, every process refuses that address, but no other', async () => {
    for (const account of [
      await service.addWorkspace(),
      { email: `ghost-${backend}@example.com`, password: 'whatever it is' },
    ]) {
      const stranger = newAddress();
      for (let n = 0; n < 10; n += 1) {
        const wrong = { email: account.email, password: 'wrong password' };
        expectRefusal(
          await logIn(stranger, wrong, n % 2),
          401,
          'unauthorized',
          /^Wrong email or password$/,
        );
      }
      for (const api of [0, 1]) {
        const response = await logIn(stranger, account, api);
        expectRefusal(response, 429, 'rate_limited');
        const retryAfter = Number(response.headers.get('retry-after'));
        expect(retryAfter).toBeGreaterThan(800);
        expect(retryAfter).toBeLessThanOrEqual(900);
      }
      // Another spelling of the address does not bypass the limit.
      expectRefusal(
        await logIn(stranger, { ...account, email: account.email.toUpperCase() }),
        429,
        'rate_limited',
      );
      // The owner of the account is not locked out.
      const elsewhere = await logIn(newAddress(), account);
      expect(elsewhere.status).toBe('userId' in account ? 201 : 401);
    }
    const other = await service.addWorkspace();
    expect((await logIn(newAddress(), other)).status).toBe(201);
  });

  test('of concurrent failed logins, at most 10 are processed', async () => {
    const { email } = await service.addWorkspace();
    const address = newAddress();
    // A few at a time: a process responds with 503 to a login that waits too long for its hash.
    const responses = await sendEach(
      numbersTo(30),
      (n) => logIn(address, { email, password: 'wrong password' }, n % 2),
      { status: [401, 429], atOnce: LOGINS_AT_ONCE },
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  test('failed logins are counted for each IPv6 /64 network', async () => {
    const { email, password } = await service.addWorkspace();
    const network = `2001:db8:${(addresses += 1).toString(16)}:1`;
    for (let n = 1; n <= 10; n += 1) {
      const wrong = { email, password: 'wrong password' };
      expectRefusal(await logIn(`${network}::${n}`, wrong, n % 2), 401, 'unauthorized');
    }
    expectRefusal(await logIn(`${network}:9:8:7:6`, { email, password }), 429, 'rate_limited');
    const neighbor = network.replace(/1$/, '2');
    expect((await logIn(`${neighbor}::1`, { email, password })).status).toBe(201);
  });

  test('after 100 failed logins to an account from any address, its logins are slower but still possible', async () => {
    const { email, password } = await service.addWorkspace();
    const wrong = { email, password: 'wrong password' };
    for (let round = 0; round < 11; round += 1) {
      const address = newAddress();
      await sendEach(numbersTo(10), (n) => logIn(address, wrong, n % 2), {
        status: 401,
        atOnce: LOGINS_AT_ONCE,
      });
    }
    const began = performance.now();
    expect((await logIn(newAddress(), { email, password })).status).toBe(201);
    // The 111th login waits 11 times 100 ms.
    expect(performance.now() - began).toBeGreaterThan(1_050);
  });

  test('successful logins do not count as failures', async () => {
    const { email, password } = await service.addWorkspace();
    const address = newAddress();
    await sendEach(numbersTo(12), (n) => logIn(address, { email, password }, n % 2), {
      status: 201,
      atOnce: 4,
    });
  });

  test('after 50 failed logins, a client address is refused for every account, even with a forged X-Forwarded-For', async () => {
    const { email, password } = await service.addWorkspace();
    const address = newAddress();
    // Successful logins do not count.
    for (let n = 0; n < 3; n += 1)
      expect((await logIn(address, { email, password })).status).toBe(201);
    const responses = await sendEach(
      numbersTo(60),
      (n) =>
        // Only the last address is set by the proxy. The others come from the client.
        logIn(
          `198.51.100.${n}, ${address}`,
          { email: `guess-${backend}-${n}@example.com`, password: 'wrong password' },
          n % 2,
        ),
      { status: [401, 429], atOnce: LOGINS_AT_ONCE },
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expectRefusal(await logIn(address, { email, password }), 429, 'rate_limited');
    expect((await logIn(newAddress(), { email, password })).status).toBe(201);
  });
});
