import { sessionList } from '@switchboard/contracts';
import { QUOTAS } from '@switchboard/core';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertSessions } from './fill-quotas.ts';
import { type BusListener, listenToBus } from './listen-to-bus.ts';
import { type Service, ask, expectRefusal, startService } from './start-service.ts';
import { anEmail, clientOf } from './workspace-client.ts';

let service: Service;
let bus: BusListener;
let workspace: WorkspaceFixture;

beforeAll(async () => {
  service = await startService();
  bus = await listenToBus(service.database.url);
});
afterAll(async () => {
  await bus.close();
  await service.close();
});
beforeEach(async () => {
  workspace = await service.addWorkspace();
});

async function logIn(userAgent = 'Test browser'): Promise<string> {
  const { email, password } = workspace;
  const response = await ask(service.url, '/api/ui/sessions', {
    json: { email, password },
    headers: { 'user-agent': userAgent },
  });
  return String(response.json?.['token']);
}

async function listSessions(token: string) {
  return sessionList.strict().parse((await ask(service.url, '/api/ui/sessions', { token })).json);
}

const end = (token: string, id = '') =>
  ask(service.url, `/api/ui/sessions${id && `/${id}`}`, { method: 'DELETE', token });
const me = (token: string) => ask(service.url, '/api/ui/me', { token });

test('a user sees their own sessions, newest first, with the browser of each and without tokens', async () => {
  const other = await service.addWorkspace();
  const token = await logIn('B'.repeat(500));
  const { data, pagination } = await listSessions(token);
  expect(data).toMatchObject([
    { user_agent: 'B'.repeat(200), is_current: true },
    { user_agent: null, is_current: false },
  ]);
  expect(pagination.totalItems).toBe(2);
  expect(JSON.stringify(data)).not.toContain('sws_');
  expect((await listSessions(other.sessionToken)).data).toHaveLength(1);
});

test('without the choice to stay signed in, a session ends after 24 hours, whether it began with a login or a sign-up', async () => {
  const { email, password } = workspace;
  const hoursOf = (json: Record<string, unknown> | null) =>
    Math.round((Date.parse(String(json?.['expires_at'])) - Date.now()) / 3_600_000);
  const logInFor = async (choice: object) =>
    hoursOf(
      (await ask(service.url, '/api/ui/sessions', { json: { email, password, ...choice } })).json,
    );
  expect(await logInFor({ stay_signed_in: false })).toBe(24);
  expect([await logInFor({ stay_signed_in: true }), await logInFor({})]).toEqual([720, 720]);
  const client = clientOf(service, workspace, workspace.sessionToken);
  const guest = anEmail();
  const invited = await client('/members', { json: { email: guest, role: 'member' } });
  const json = {
    email: guest,
    password,
    name: 'Guest',
    invite_token: invited.json?.['invite_token'],
    stay_signed_in: false,
  };
  expect(hoursOf((await ask(service.url, '/api/ui/users', { json })).json)).toBe(24);
  const wrong = { email, password, stay_signed_in: 'no' };
  const refused = await ask(service.url, '/api/ui/sessions', { json: wrong });
  expectRefusal(refused, 400, 'invalid_params', /`stay_signed_in`/);
});

test('an expired session is not listed', async () => {
  const token = await logIn();
  await service.sql(`UPDATE sessions SET last_seen_at = now() - interval '8 days' WHERE id = $1`, [
    (await listSessions(token)).data[1]?.id,
  ]);
  expect((await listSessions(token)).data).toHaveLength(1);
});

test('a user can end their own sessions, but no session of another user', async () => {
  const other = await service.addWorkspace();
  const token = await logIn();
  const [, first] = (await listSessions(token)).data;
  const [theirs] = (await listSessions(other.sessionToken)).data;
  expectRefusal(await end(token, theirs?.id), 404, 'not_found');
  expect((await me(other.sessionToken)).status).toBe(200);

  const ended = await end(token, first?.id.toUpperCase());
  expect([ended.status, ended.json]).toEqual([200, { ok: true }]);
  expectRefusal(await me(workspace.sessionToken), 401, 'unauthorized');
  await bus.waitFor({ kind: 'session_ended', sessionId: first?.id ?? '' });
  expectRefusal(await end(token, first?.id), 404, 'not_found');
});

test('a user can end all their other sessions, immediately in every process', async () => {
  const other = await service.addWorkspace();
  const [second, token] = [await logIn(), await logIn()];
  const ids = (await listSessions(token)).data.filter((each) => !each.is_current);
  const ended = await end(token);
  expect([ended.status, ended.json]).toEqual([200, { ok: true }]);
  for (const endedToken of [workspace.sessionToken, second]) {
    expectRefusal(await me(endedToken), 401, 'unauthorized');
  }
  expect((await me(token)).status).toBe(200);
  expect((await me(other.sessionToken)).status).toBe(200);
  expect(ids).toHaveLength(2);
  for (const { id } of ids) await bus.waitFor({ kind: 'session_ended', sessionId: id });
});

test('a login beyond the quota ends the session that has been unused the longest, even with concurrent logins', async () => {
  const [session] = (await listSessions(workspace.sessionToken)).data;
  await service.sql(`UPDATE sessions SET last_seen_at = now() - interval '1 day' WHERE id = $1`, [
    session?.id,
  ]);
  await insertSessions(service.sql, workspace.userId, QUOTAS.sessionsPerUser - 1);
  const token = await logIn();
  await bus.waitFor({ kind: 'session_ended', sessionId: session?.id ?? '' });
  expectRefusal(await me(workspace.sessionToken), 401, 'unauthorized');
  expect((await listSessions(token)).pagination.totalItems).toBe(QUOTAS.sessionsPerUser);

  const more = await Promise.all([1, 2, 3, 4, 5].map(() => logIn()));
  expect((await listSessions(token)).pagination.totalItems).toBe(QUOTAS.sessionsPerUser);
  for (const each of more) expect((await me(each)).status).toBe(200);
});
