import {
  type IdentityProviderFixture,
  type ProviderUser,
  startIdentityProvider,
} from '@switchboard/testing';
import { type Service, startService } from '../start-service.ts';

export interface SignOnService extends Service {
  idp: IdentityProviderFixture;
}

/** Starts a service whose API signs users in at a provider on this machine. */
export async function startSignOnService(
  options: Parameters<typeof startService>[0] = {},
): Promise<SignOnService> {
  const idp = await startIdentityProvider();
  const env = { ...idp.env, TRUST_PROXY: '1', RATE_LIMIT_UI: '100000', ...options.env };
  const service = await startService({ ...options, env });
  idp.allow(`${service.url}/api/ui/oidc/callback`);
  return {
    ...service,
    idp,
    async close() {
      await service.close();
      await idp.close();
    },
  };
}

let clients = 0;

/** A browser with its own cookies and, for rate limits, its own address. It follows no redirect by itself. */
export function openBrowser(address = `198.51.100.${(clients += 1) % 250}`) {
  const cookies = new Map<string, Map<string, string>>();
  return {
    cookies,
    async request(url: string, init: RequestInit = {}) {
      const { origin } = new URL(url);
      const jar = cookies.get(origin) ?? new Map<string, string>();
      cookies.set(origin, jar);
      const headers = new Headers(init.headers);
      headers.set('x-forwarded-for', address);
      headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
      const signal = AbortSignal.timeout(30_000);
      const response = await fetch(url, { ...init, headers, redirect: 'manual', signal });
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        const at = pair.indexOf('=');
        if (/max-age=0\b|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(pair.slice(0, at));
        else jar.set(pair.slice(0, at), pair.slice(at + 1));
      }
      const location = response.headers.get('location');
      return {
        status: response.status,
        headers: response.headers,
        location: location === null ? null : new URL(location, url),
        text: await response.text(),
      };
    },
  };
}

export type Browser = ReturnType<typeof openBrowser>;

/** Starts a sign-in; returns the address at the provider. */
export async function begin(service: { url: string }, browser: Browser, returnTo?: string) {
  const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
  const started = await browser.request(`${service.url}/api/ui/oidc/start${query}`);
  if (started.status !== 303 || started.location === null) throw new Error(started.text);
  return started.location;
}

/** Signs in at the provider; returns the address of the callback. */
export async function approve(browser: Browser, at: URL, sub: string): Promise<URL> {
  let url = at;
  while (!url.pathname.endsWith('/api/ui/oidc/callback')) {
    if (url.pathname.startsWith('/interaction/')) url.searchParams.set('user', sub);
    const { location, status, text } = await browser.request(url.href);
    if (location === null) throw new Error(`the provider responded with ${status}: ${text}`);
    url = location;
  }
  return url;
}

/** Signs in from start to callback; returns the page of the dashboard that continues. */
export async function goThrough(
  service: { url: string },
  browser: Browser,
  sub: string,
  returnTo?: string,
): Promise<URL> {
  const callback = await approve(browser, await begin(service, browser, returnTo), sub);
  const { status, location, text } = await browser.request(callback.href);
  if (status !== 303 || location === null) throw new Error(`${status}: ${text}`);
  return location;
}

/** Exchanges what the callback left in the browser for a session. */
export async function takeSession(service: { url: string }, browser: Browser) {
  const { status, text } = await browser.request(`${service.url}/api/ui/oidc/sessions`, {
    method: 'POST',
  });
  const json = JSON.parse(text) as { token?: string; user?: { id: string; email: string } };
  return { status, token: json.token ?? '', user: json.user ?? { id: '', email: '' }, text };
}

/** Signs in completely. */
export async function signIn(service: { url: string }, sub: string, browser = openBrowser()) {
  const page = await goThrough(service, browser, sub);
  const session = page.hash === '#sso=finish' ? await takeSession(service, browser) : null;
  return { page, error: /sso_error=(\w+)/.exec(page.hash)?.[1] ?? null, session };
}

let people = 0;

/** Adds a user with a new address to the provider. */
export function addPerson(idp: IdentityProviderFixture, claims: Partial<ProviderUser> = {}) {
  people += 1;
  const sub = `sub-${people}`;
  const email = claims.email ?? `person${people}@corp.example`;
  idp.users.set(sub, { email_verified: true, name: `Person ${people}`, ...claims, email });
  return { sub, email };
}
