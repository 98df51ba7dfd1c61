import type { ServerResponse } from 'node:http';
import { EVENTUALLY, VENDOR_CERTIFICATE_FILE, startConnectProxy } from '@switchboard/testing';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Service, ask, startService } from '../start-service.ts';
import { openBrowser, takeSession } from './environment.ts';
import { type Forgery, startForgingProvider } from './forging-provider.ts';

type ForgingProvider = Awaited<ReturnType<typeof startForgingProvider>>;

let idp: ForgingProvider;
let service: Service;

beforeAll(async () => {
  idp = await startForgingProvider();
  service = await startService({ env: { ...idp.env, ...OPEN } });
});
afterAll(async () => {
  await service.close();
  await idp.close();
});
afterEach(() => {
  idp.state.forgery = {};
});

const OPEN = { ALLOW_SIGNUP: 'true', TRUST_PROXY: '1' };

/** Starts another API, which has not read the provider's metadata yet. */
async function startFresh(env: Record<string, string>) {
  const fresh = await startService({ env: { ...env, ...OPEN } });
  onTestFinished(() => fresh.close());
  return fresh;
}

/** Signs in; returns the error that the browser is shown, or null. */
async function attempt(at: Pick<Service, 'url'>, provider: ForgingProvider, forgery: Forgery = {}) {
  const browser = openBrowser();
  provider.state.forgery = forgery;
  const start = await browser.request(`${at.url}/api/ui/oidc/start`);
  const errorOf = (page: URL | null) => /sso_error=(\w+)/.exec(page?.hash ?? '')?.[1] ?? null;
  if (start.location === null || errorOf(start.location) !== null) return errorOf(start.location);
  const { location } = await browser.request(provider.callbackOf(start.location));
  const error = errorOf(location);
  expect((await takeSession(at, browser)).status).toBe(error === null ? 201 : 401);
  return error;
}

const reply = (status: number, type: string, body: string) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': type }).end(body);
};
const HTML = reply(200, 'text/html', '<!doctype html><title>Sign in to the network</title>');
const endless = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(`{"issuer":"${'a'.repeat(3_000_000)}`);
};
const metadata = (changes: Record<string, unknown>): Forgery => ({ metadata: changes });

test('while the provider does not respond, an API starts, the sign-in page and passwords work, and the sign-in ends with an error', async () => {
  const held: ServerResponse[] = [];
  idp.state.forgery = { onMetadata: (response) => held.push(response) };
  const fresh = await startFresh(idp.env);
  const { email, password, sessionToken: token } = await fresh.addWorkspace();
  const browser = openBrowser();
  const waiting = browser.request(`${fresh.url}/api/ui/oidc/start`);
  await expect.poll(() => held.length, EVENTUALLY).toBe(1);
  const during = await Promise.all([
    ask(fresh.url, '/sign-in'),
    ask(fresh.url, '/api/ui/users'),
    ask(fresh.url, '/api/ui/sessions', { json: { email, password } }),
    ask(fresh.url, '/api/ui/me', { token }),
    ask(fresh.url, '/health/ready'),
  ]);
  expect(during.map(({ status }) => status)).toEqual([200, 200, 201, 200, 200]);
  expect(held).toHaveLength(1);
  expect((await waiting).location?.hash).toBe('#sso_error=provider_unavailable');
  expect(await attempt(fresh, idp)).toBeNull();
}, 60_000);

test('concurrent sign-ins share one request for the metadata, and a failure of it is not kept', async () => {
  const held: ServerResponse[] = [];
  idp.state.forgery = { onMetadata: (response) => held.push(response) };
  const fresh = await startFresh(idp.env);
  const starts = Array.from({ length: 20 }, () =>
    openBrowser().request(`${fresh.url}/api/ui/oidc/start`),
  );
  await expect.poll(() => held.length, EVENTUALLY).toBe(1);
  const hashes = (await Promise.all(starts)).map(({ location }) => location?.hash);
  expect(new Set(hashes)).toEqual(new Set(['#sso_error=provider_unavailable']));
  expect(await attempt(fresh, idp)).toBeNull();
  const { metadataRequests } = idp.state;
  expect(await attempt(fresh, idp)).toBeNull();
  expect(idp.state.metadataRequests).toBe(metadataRequests);
}, 60_000);

test('what is wrong with the metadata decides who has to act: the provider or the operator', async () => {
  const fresh = await startFresh(idp.env);
  const results: Record<string, string | null> = {};
  const faults: Record<string, Forgery> = {
    '500': { onMetadata: reply(500, 'application/json', '{}') },
    '429': { onMetadata: reply(429, 'text/plain', 'slow down') },
    'without end': { onMetadata: endless },
    '404': { onMetadata: reply(404, 'text/html', 'Not found') },
    'a redirect': { onMetadata: (response) => response.writeHead(302, { location: '/' }).end() },
    'a page': { onMetadata: HTML },
    'no JSON': { onMetadata: reply(200, 'application/json', '{"issuer":') },
    'a list': { onMetadata: reply(200, 'application/json', '[]') },
    'another issuer': metadata({ issuer: 'https://evil.example' }),
    'no issuer': metadata({ issuer: undefined }),
  };
  for (const [name, forgery] of Object.entries(faults)) {
    results[name] = await attempt(fresh, idp, forgery);
  }
  expect(results).toEqual({
    '500': 'provider_unavailable',
    '429': 'provider_unavailable',
    'without end': 'provider_unavailable',
    '404': 'provider_misconfigured',
    'a redirect': 'provider_misconfigured',
    'a page': 'provider_misconfigured',
    'no JSON': 'provider_misconfigured',
    'a list': 'provider_misconfigured',
    'another issuer': 'provider_misconfigured',
    'no issuer': 'provider_misconfigured',
  });
  const log = () => fresh.apis[0]?.logs.join('\n') ?? '';
  await expect.poll(log, EVENTUALLY).toContain('/openid-configuration responds with 404');
  await expect.poll(log, EVENTUALLY).toContain('the provider calls itself https://evil.example');
  // Nothing of it is kept.
  expect(await attempt(fresh, idp)).toBeNull();
}, 60_000);

test('a provider that fails between the redirect and the token is reported as unavailable, and the next sign-in succeeds', async () => {
  const results: Record<string, string | null> = {};
  const faults: Record<string, Forgery> = {
    'a token error 500': { onToken: reply(500, 'application/json', '{}') },
    'a token page 502': { onToken: reply(502, 'text/html', 'Bad gateway') },
    'a token without end': { onToken: endless },
    'keys 503': { onKeys: reply(503, 'text/plain', 'later') },
    'a wrong secret': { onToken: reply(401, 'application/json', '{"error":"invalid_client"}') },
    'a used code': { onToken: reply(400, 'application/json', '{"error":"invalid_grant"}') },
    'no ID token': {
      onToken: reply(200, 'application/json', '{"access_token":"a","token_type":"Bearer"}'),
    },
    'no JSON': { onToken: HTML },
  };
  for (const [name, forgery] of Object.entries(faults)) {
    results[name] = await attempt(service, idp, forgery);
  }
  expect(results).toEqual({
    'a token error 500': 'provider_unavailable',
    'a token page 502': 'provider_unavailable',
    'a token without end': 'provider_unavailable',
    'keys 503': 'provider_unavailable',
    'a wrong secret': 'provider_misconfigured',
    'a used code': 'expired',
    'no ID token': 'invalid_response',
    'no JSON': 'invalid_response',
  });
  expect(await attempt(service, idp)).toBeNull();
}, 60_000);

test('a new signing key with another identifier is accepted at once, and the old one no longer', async () => {
  expect(await attempt(service, idp)).toBeNull();
  idp.replaceKey('rotated');
  expect(await attempt(service, idp)).toBeNull();
  expect(await attempt(service, idp, { header: { kid: 'k' } })).toBe('invalid_response');
});

test('a provider whose issuer ends with a slash is used, whether OIDC_ISSUER has the slash or not', async () => {
  const other = await startForgingProvider({ endsWithSlash: true });
  onTestFinished(() => other.close());
  for (const OIDC_ISSUER of [other.issuer, other.url]) {
    const fresh = await startFresh({ ...other.env, OIDC_ISSUER });
    expect([OIDC_ISSUER, await attempt(fresh, other)]).toEqual([OIDC_ISSUER, null]);
  }
});

test('clocks may differ by 20 seconds in both directions, and not by two minutes', async () => {
  // An ID token of this provider is valid for 300 seconds.
  const results: Record<number, string | null> = {};
  for (const aheadSeconds of [20, 120, -310, -420]) {
    results[aheadSeconds] = await attempt(service, idp, { aheadSeconds });
  }
  expect(results).toEqual({
    20: null,
    120: 'invalid_response',
    [-310]: null,
    [-420]: 'invalid_response',
  });
});

test('discovery, token and keys go through HTTPS_PROXY, and an unreachable one is reported as an unavailable provider', async () => {
  const outside = await startForgingProvider({ calledAs: 'https://id.vendor.example' });
  const proxy = await startConnectProxy({ origin: outside.url, credentials: 'sms:secret' });
  const proxied = (port: number) => ({
    ...outside.env,
    HTTPS_PROXY: `http://sms:secret@127.0.0.1:${port}`,
    NODE_EXTRA_CA_CERTS: VENDOR_CERTIFICATE_FILE,
  });
  const behind = await startFresh(proxied(proxy.port));
  expect(await attempt(behind, outside)).toBeNull();
  expect(outside.state).toMatchObject({ metadataRequests: 1, tokenRequests: 1 });
  expect(new Set(proxy.targets)).toEqual(new Set(['id.vendor.example:443']));
  await proxy.close();
  const cut = await startFresh(proxied(proxy.port));
  expect(await attempt(cut, outside)).toBe('provider_unavailable');
  await outside.close();
}, 60_000);
