import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import {
  type SignOnService,
  addPerson,
  begin,
  openBrowser,
  signIn,
  startSignOnService,
} from './environment.ts';

let service: SignOnService;

beforeAll(async () => {
  service = await startSignOnService({ env: { OIDC_ONLY: 'true', OIDC_NAME: 'Corp' } });
});
afterAll(() => service.close());

const OFF = /^Passwords are switched off/;

test('with OIDC_ONLY, no password signs in, signs up, is reset or changed, and the state of sign-up says so', async () => {
  const { email, password, sessionToken: token } = await service.addWorkspace();
  const state = await ask(service.url, '/api/ui/users');
  expect(state.json).toMatchObject({
    sign_up: 'closed',
    passwords: false,
    single_sign_on: { name: 'Corp' },
  });
  const someone = { email: 'x@corp.example', password: 'long enough a password', name: 'X' };
  const refused = [
    ask(service.url, '/api/ui/sessions', { json: { email, password } }),
    ask(service.url, '/api/ui/users', { json: { ...someone, invite_token: 'any' } }),
    ask(service.url, '/api/ui/password-resets', { json: { email } }),
    ask(service.url, '/api/ui/password-resets/any', { json: { password } }),
    ask(service.url, '/api/ui/me/password', {
      token,
      json: { current_password: password, password: someone.password },
    }),
    ask(service.url, '/api/ui/me/email', { token, json: { email: 'y@corp.example', password } }),
    ask(service.url, '/api/ui/me/identity/disconnect', { token, json: { password } }),
  ];
  for (const response of await Promise.all(refused)) expectRefusal(response, 403, 'forbidden', OFF);
});

test('with OIDC_ONLY, a first sign-in takes over a user with an unconfirmed address: password and sessions end', async () => {
  const { email, userId, sessionToken: token } = await service.addWorkspace();
  const { sub } = addPerson(service.idp, { email });
  const { session } = await signIn(service, sub);
  expect(session?.user.id).toBe(userId);
  expectRefusal(await ask(service.url, '/api/ui/me', { token }), 401, 'unauthorized');
  const [row] = await service.sql<{ password_hash: string | null }>(
    'SELECT password_hash FROM users WHERE id = $1',
    [userId],
  );
  expect(row?.password_hash).toBeNull();
});

test('a client that starts or fails too many sign-ins is sent to the sign-in page, and others are not', async () => {
  const flood = openBrowser('203.0.113.99');
  const fail = async () => {
    const at = await begin(service, flood);
    const state = at.searchParams.get('state');
    const path = `/api/ui/oidc/callback?state=${state}&error=access_denied`;
    return (await flood.request(`${service.url}${path}`)).location?.hash;
  };
  for (let failed = 0; failed < 100; failed += 1) await fail();
  expect(await fail()).toBe('#sso_error=rate_limited');
  // Any page can make a browser ask for a callback that it did not begin.
  const visitor = openBrowser('203.0.113.98');
  for (let asked = 0; asked <= 100; asked += 1) {
    await visitor.request(`${service.url}/api/ui/oidc/callback?state=x`);
  }
  const honest = addPerson(service.idp);
  expect((await signIn(service, honest.sub, visitor)).error).not.toBe('rate_limited');
  const { sub, email } = addPerson(service.idp);
  await service.sql(`UPDATE users SET email = $1 WHERE id = (SELECT id FROM users LIMIT 1)`, [
    email,
  ]);
  expect((await signIn(service, sub)).error).not.toBe('rate_limited');
});

test('many sign-ins that one browser starts do not exceed the limit of its headers', async () => {
  const browser = openBrowser();
  for (let started = 0; started < 20; started += 1) await begin(service, browser);
  const cookies = [...(browser.cookies.get(service.url)?.keys() ?? [])];
  expect(cookies.length).toBeLessThanOrEqual(5);
});
