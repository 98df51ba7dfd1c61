import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import {
  type SignOnService,
  addPerson,
  approve,
  begin,
  openBrowser,
  signIn,
  startSignOnService,
  takeSession,
} from './environment.ts';

let service: SignOnService;

beforeAll(async () => {
  service = await startSignOnService();
});
afterAll(() => service.close());

/** Begins to connect the person; returns what finishes it in the same browser. */
async function beginConnection(owner: WorkspaceFixture, sub: string) {
  const browser = openBrowser();
  const begun = await browser.request(`${service.url}/api/ui/me/identity`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.sessionToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ password: owner.password }),
  });
  const { url } = JSON.parse(begun.text) as { url: string };
  const callback = await approve(browser, new URL(url), sub);
  return async () => (await browser.request(callback.href)).location?.hash;
}

const turnFactorOn = (userId: string) =>
  service.sql(
    `INSERT INTO second_factors (user_id, sealed_secret, confirmed_at) VALUES ($1, 'x', now())`,
    [userId],
  );

test('who has the password does not go round a second factor by a connection of their own', async () => {
  const owner = await service.addWorkspace();
  await turnFactorOn(owner.userId);
  const connect = await beginConnection(owner, addPerson(service.idp).sub);
  expect(await connect()).toBe('#sso_error=second_factor');
  await service.sql('UPDATE users SET email_confirmed_at = now() WHERE id = $1', [owner.userId]);
  const { sub } = addPerson(service.idp, { email: owner.email });
  expect((await signIn(service, sub)).error).toBe('second_factor');
});

test('a connection that was begun in a session is refused when the session has ended', async () => {
  const owner = await service.addWorkspace();
  const connect = await beginConnection(owner, addPerson(service.idp).sub);
  await service.sql('DELETE FROM sessions WHERE user_id = $1', [owner.userId]);
  expect(await connect()).toBe('#sso_error=expired');
});

test('a connection that one person begins is not finished in the browser of another, with whose identity they would sign in', async () => {
  const attacker = await service.addWorkspace();
  const victim = addPerson(service.idp);
  const begun = await openBrowser().request(`${service.url}/api/ui/me/identity`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${attacker.sessionToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ password: attacker.password }),
  });
  const { url } = JSON.parse(begun.text) as { url: string };
  const theirs = openBrowser();
  // A sign-in of their own may be in flight.
  await begin(service, theirs);
  const callback = await approve(theirs, new URL(url), victim.sub);
  expect((await theirs.request(callback.href)).location?.hash).toBe('#sso_error=expired');
  expect((await takeSession(service, theirs)).status).toBe(401);
  const rows = await service.sql('SELECT 1 FROM user_identities WHERE subject = $1', [victim.sub]);
  expect(rows).toEqual([]);
});

test('where a second factor is required, a session by single sign-on is accepted, and one by the password of the same user is not', async () => {
  const owner = await service.addWorkspace();
  const { sub } = addPerson(service.idp);
  expect(await (await beginConnection(owner, sub))()).toBe('#sso=connected');
  const token = (await signIn(service, sub)).session?.token ?? '';
  await service.sql('UPDATE workspaces SET require_second_factor = true WHERE id = $1', [
    owner.workspaceId,
  ]);
  const path = `/api/ui/workspaces/${owner.workspaceId}/messages`;
  expect((await ask(service.url, path, { token })).status).toBe(200);
  expectRefusal(await ask(service.url, path, { token: owner.sessionToken }), 403, 'forbidden');
});

test('a disconnection ends the sessions that began at the provider', async () => {
  const owner = await service.addWorkspace();
  const { sub } = addPerson(service.idp);
  expect(await (await beginConnection(owner, sub))()).toBe('#sso=connected');
  const token = (await signIn(service, sub)).session?.token ?? '';
  expect((await ask(service.url, '/api/ui/me', { token })).status).toBe(200);
  const json = { password: owner.password };
  const own = { token: owner.sessionToken };
  await ask(service.url, '/api/ui/me/identity/disconnect', { ...own, json });
  expect((await ask(service.url, '/api/ui/me', { token })).status).toBe(401);
  expect((await ask(service.url, '/api/ui/me', own)).status).toBe(200);
});

test('the user receives a mail when an identity is connected, and when it is disconnected', async () => {
  const owner = await service.addWorkspace();
  const kindsOf = async () =>
    (
      await service.sql<{ kind: string }>(
        'SELECT kind FROM mails WHERE user_id = $1 AND recipient = $2 ORDER BY kind',
        [owner.userId, owner.email],
      )
    ).map(({ kind }) => kind);
  await (
    await beginConnection(owner, addPerson(service.idp).sub)
  )();
  expect(await kindsOf()).toEqual(['identity_connected']);
  const json = { password: owner.password };
  await ask(service.url, '/api/ui/me/identity/disconnect', { token: owner.sessionToken, json });
  expect(await kindsOf()).toEqual(['identity_connected', 'identity_disconnected']);
});

test('a new password by mail disconnects the identity that another person had connected', async () => {
  const stranger = await service.addWorkspace();
  const { sub } = addPerson(service.idp);
  expect(await (await beginConnection(stranger, sub))()).toBe('#sso=connected');
  await service.sql(
    `INSERT INTO account_tokens (user_id, purpose, token_hash, email, is_mailed, expires_at)
     VALUES ($1, 'password_reset', sha256('swr_of_the_owner'), $2, true, now() + interval '1 hour')`,
    [stranger.userId, stranger.email],
  );
  const json = { password: 'a password of the owner' };
  const reset = await ask(service.url, '/api/ui/password-resets/swr_of_the_owner', { json });
  expect(reset.status).toBe(200);
  expect((await signIn(service, sub)).error).toBe('sign_up_closed');
});
