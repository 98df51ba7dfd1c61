import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Service, startService, upwards } from '../start-service.ts';
import { begin, openBrowser, takeSession } from './environment.ts';
import { type Forgery, startForgingProvider } from './forging-provider.ts';

let idp: Awaited<ReturnType<typeof startForgingProvider>>;
let service: Service;

beforeAll(async () => {
  idp = await startForgingProvider();
  service = await startService({
    apis: 2,
    env: { ...idp.env, ALLOW_SIGNUP: 'true', TRUST_PROXY: '1' },
  });
});
afterAll(async () => {
  await service.close();
  await idp.close();
});
afterEach(() => {
  idp.state.forgery = {};
});

/** Signs in with a forged response; returns the error that the browser is shown, or null. */
async function attempt(forgery: Forgery, changes: Record<string, string | null> = {}) {
  const browser = openBrowser();
  idp.state.forgery = forgery;
  const started = await begin(service, browser);
  const { location } = await browser.request(idp.callbackOf(started, changes));
  const error = /sso_error=(\w+)/.exec(location?.hash ?? '')?.[1] ?? null;
  const { status } = await takeSession(service, browser);
  expect(status).toBe(error === null ? 201 : 401);
  return error;
}

const ago = () => Math.floor(Date.now() / 1_000) - 3_600;

test('an honest response signs in, so that the refusals of this file are due to what they forge', async () => {
  expect(await attempt({})).toBeNull();
});

test.each<[string, Forgery]>([
  ['another nonce', { claims: { nonce: 'of another sign-in' } }],
  ['no nonce', { claims: { nonce: undefined } }],
  ['another audience', { claims: { aud: 'another client' } }],
  ['another issuer', { claims: { iss: 'https://evil.example' } }],
  ['a time in the past', { claims: { exp: ago(), iat: ago() } }],
  ['the signature of another key', { signature: 'wrong_key' }],
  ['alg none', { header: { alg: 'none' }, signature: 'none' }],
  ['no signature', { signature: 'none' }],
  ['an HMAC with the public key', { header: { alg: 'HS256' }, signature: 'hmac_of_public_key' }],
  ['an unknown key', { header: { kid: 'unknown' } }],
])('an ID token with %s is refused', async (_, forgery) => {
  expect(await attempt(forgery)).toBe('invalid_response');
});

test('a callback with the issuer of another provider, or without one, is refused before the code is sent anywhere', async () => {
  const before = idp.state.tokenRequests;
  expect(await attempt({}, { iss: 'https://evil.example' })).toBe('invalid_response');
  expect(await attempt({}, { iss: null })).toBe('invalid_response');
  expect(idp.state.tokenRequests).toBe(before);
});

test.each<[string, Forgery]>([
  ['email_verified is false', { claims: { email_verified: false } }],
  ['email_verified is absent', { claims: { email_verified: undefined } }],
  [
    'xms_edov comes from a provider other than Microsoft',
    {
      claims: { email_verified: undefined, xms_edov: true },
    },
  ],
  ['there is no address', { claims: { email: undefined } }],
  [
    'the userinfo has email_verified without an address',
    {
      claims: { email: 'victim@corp.example', email_verified: undefined },
      userinfo: { email_verified: true },
    },
  ],
])('no user is created or connected if %s', async (_, forgery) => {
  const claims = { sub: 'unverified', ...forgery.claims };
  const before = await service.countRows('user_identities');
  const { userinfoRequests } = idp.state;
  expect(await attempt({ ...forgery, claims })).toBe('unverified_email');
  expect(await service.countRows('user_identities')).toBe(before);
  // The userinfo does not say it either.
  expect(idp.state.userinfoRequests).toBe(userinfoRequests + 1);
});

test('userinfo about another user than that of the ID token is refused', async () => {
  const userinfo = { sub: 'other', email: 'other@corp.example', email_verified: true };
  expect(await attempt({ claims: { email: undefined }, userinfo })).toBe('invalid_response');
});

test('the state of another browser, an altered cookie and a state that was used are refused', async () => {
  const [mine, theirs] = [openBrowser(), openBrowser()];
  const started = await begin(service, mine);
  const callback = idp.callbackOf(started);
  const errorOf = async (browser: ReturnType<typeof openBrowser>) =>
    (await browser.request(callback)).location?.hash;
  await begin(service, theirs);
  const before = idp.state.tokenRequests;
  expect(await errorOf(theirs)).toBe('#sso_error=expired');
  const jar = mine.cookies.get(service.url) ?? new Map<string, string>();
  const [[name, value] = ['', '']] = [...jar];
  jar.set(name, `${value.slice(0, -4)}AAAA`);
  expect(await errorOf(mine)).toBe('#sso_error=expired');
  expect(idp.state.tokenRequests).toBe(before);
  jar.set(name, value);
  expect(await errorOf(mine)).toBe('#sso=finish');
  expect(await errorOf(mine)).toBe('#sso_error=expired');
});

test('a stolen code is of no use elsewhere: each sign-in sends a challenge of its own, and the code with its verifier', async () => {
  const challenges = new Set<string>();
  for (let attempts = 0; attempts < 2; attempts += 1) {
    expect(await attempt({})).toBeNull();
    const verifier = idp.state.tokenForm.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    expect(verifier).toMatch(/^[\w.~-]{43,128}$/);
    expect(challenge).toBe(idp.state.challenge);
    challenges.add(challenge);
  }
  expect(challenges.size).toBe(2);
});

test('two tabs of one browser each finish the sign-in that they started, in any order', async () => {
  const browser = openBrowser();
  const first = idp.callbackOf(await begin(service, browser));
  const { nonce } = idp.state;
  const second = idp.callbackOf(await begin(service, browser));
  expect((await browser.request(second)).location?.hash).toBe('#sso=finish');
  idp.state.nonce = nonce;
  expect((await browser.request(first)).location?.hash).toBe('#sso=finish');
});

test('a sign-in that one API process starts is finished and exchanged by another one, once', async () => {
  const browser = openBrowser();
  const [first, second] = service.apis;
  const started = await begin({ url: second?.url ?? '' }, browser);
  // One host for the browser: a proxy chooses the process.
  browser.cookies.set(service.url, browser.cookies.get(second?.url ?? '') ?? new Map());
  const callback = new URL(idp.callbackOf(started));
  await browser.request(`${first?.url}${callback.pathname}${callback.search}`);
  const both = await Promise.all([takeSession(service, browser), takeSession(service, browser)]);
  expect(both.map(({ status }) => status).toSorted(upwards)).toEqual([201, 401]);
});

test('the token of a pending session is no session token, and works in no other browser', async () => {
  const browser = openBrowser();
  await browser.request(idp.callbackOf(await begin(service, browser)));
  const pending = browser.cookies.get(service.url)?.get('switchboard_sign_in') ?? '';
  expect(pending).toMatch(/^swo_\w{43}$/);
  const asBearer = await browser.request(`${service.url}/api/ui/me`, {
    headers: { authorization: `Bearer ${pending}` },
  });
  expect(asBearer.status).toBe(401);
  expect((await takeSession(service, openBrowser())).status).toBe(401);
  const [row] = await service.sql<{ seconds: number }>(
    `SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM sessions
     ORDER BY created_at DESC LIMIT 1`,
  );
  expect(row?.seconds).toBe(60);
  expect((await takeSession(service, browser)).status).toBe(201);
});

test('a pending session that an attacker plants in a browser does not become that of the user who signs in there', async () => {
  const [attacker, victim] = [openBrowser(), openBrowser()];
  await attempt({});
  idp.state.forgery = { claims: { sub: 'attacker', email: 'attacker@corp.example' } };
  await attacker.request(idp.callbackOf(await begin(service, attacker)));
  const planted = attacker.cookies.get(service.url)?.get('switchboard_sign_in') ?? '';
  const started = await begin(service, victim);
  victim.cookies.get(service.url)?.set('switchboard_sign_in', planted);
  idp.state.forgery = {};
  await victim.request(idp.callbackOf(started));
  expect((await takeSession(service, victim)).user.email).toBe('forged@corp.example');
  expect((await takeSession(service, attacker)).user.email).toBe('attacker@corp.example');
});

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  `/${'a'.repeat(1_000)}`,
])('a sign-in does not return to %s', async (returnTo) => {
  const browser = openBrowser();
  const started = await begin(service, browser, returnTo);
  const { location } = await browser.request(idp.callbackOf(started));
  expect(location?.href).toBe(`${service.url}/sign-in#sso=finish`);
});

test('a sign-in returns to the path of the dashboard, and no address has a code or token', async () => {
  const browser = openBrowser();
  const started = await begin(service, browser, '/w/1/messages?status=failed#x');
  expect(started.searchParams.get('redirect_uri')).toBe(`${service.url}/api/ui/oidc/callback`);
  expect(started.searchParams.get('code_challenge_method')).toBe('S256');
  const { location, headers } = await browser.request(idp.callbackOf(started));
  expect(location?.searchParams.get('next')).toBe('/w/1/messages?status=failed#x');
  expect(location?.href).not.toMatch(/sw[so]_|code=/);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  for (const cookie of headers.getSetCookie()) {
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
  }
});

test('a response that the provider sends slowly or without end fails the sign-in within seconds', async () => {
  const endless: Forgery = {
    onToken(response) {
      response.setHeader('content-type', 'application/json');
      response.write(`{"access_token":"${'a'.repeat(3_000_000)}`);
    },
  };
  expect(['invalid_response', 'provider_unavailable']).toContain(await attempt(endless));
  const silent: Forgery = { onToken: () => undefined };
  expect(await attempt(silent)).toBe('provider_unavailable');
}, 60_000);
