import { once } from 'node:events';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type BusListener, listenToBus } from './listen-to-bus.ts';
import { type Service, ask, expectRefusal, startService } from './start-service.ts';
import { addPerson, clientOf, dataOf } from './workspace-client.ts';

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

const NEW = 'a newer and longer password';

const change = (token: string, json: unknown) =>
  ask(service.url, '/api/ui/me/password', { token, json });
const logIn = (email: string, password: string) =>
  ask(service.url, '/api/ui/sessions', { json: { email, password } });
const me = (token: string) => ask(service.url, '/api/ui/me', { token });

test('a changed password closes the open sockets of all other sessions, but not that of its own', async () => {
  const { email, password, sessionToken, workspaceId } = workspace;
  const other = await logIn(email, password);
  expect(other.status).toBe(201);
  const follow = async (token: string): Promise<WebSocket> => {
    const url = `${service.url.replace('http', 'ws')}/api/ui/workspaces/${workspaceId}/events`;
    const socket = new WebSocket(url, ['messaging.v1', `bearer.${token}`]);
    await once(socket, 'message');
    return socket;
  };
  const [own, ended] = [await follow(sessionToken), await follow(String(other.json?.['token']))];
  const closed = once(ended, 'close');

  const changed = await change(sessionToken, { current_password: password, password: NEW });
  expect(changed.status).toBe(200);
  expect((await closed)[0]).toBe(4401);
  expect(own.readyState).toBe(WebSocket.OPEN);
  own.close();
});

test('a changed password ends all other sessions of the user, but no session of another user', async () => {
  const { email, password, sessionToken } = workspace;
  const person = await addPerson(service, workspace, 'member');
  const others = [await logIn(email, password), await logIn(email, password)];
  const sessions = await service.sql<{ id: string }>(
    `SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 2`,
    [workspace.userId],
  );

  const changed = await change(sessionToken, { current_password: password, password: NEW });
  expect([changed.status, changed.json]).toEqual([200, { ok: true }]);
  for (const other of others) {
    expectRefusal(await me(String(other.json?.['token'])), 401, 'unauthorized');
  }
  expect((await me(sessionToken)).status).toBe(200);
  expect((await me(person.token)).status).toBe(200);
  for (const { id } of sessions) await bus.waitFor({ kind: 'session_ended', sessionId: id });

  expectRefusal(await logIn(email, password), 401, 'unauthorized', 'Wrong email or password');
  expect((await logIn(email, NEW)).status).toBe(201);
  const owner = clientOf(service, workspace, sessionToken);
  expect(dataOf(await owner('/audit'))[0]).toMatchObject({
    action: 'member.password_changed',
    target: workspace.userId,
    actor: { type: 'user', id: workspace.userId, name: email },
  });
});

test('a wrong current password changes nothing and does not end the session', async () => {
  const { sessionToken, email, password } = workspace;
  expectRefusal(
    await change(sessionToken, { current_password: `${password}!`, password: NEW }),
    400,
    'invalid_params',
    'current_password',
  );
  expect((await me(sessionToken)).status).toBe(200);
  expect((await logIn(email, password)).status).toBe(201);
});

test('a session is refused after ten wrong current passwords, regardless of failed logins', async () => {
  const { email, sessionToken, password } = workspace;
  for (let n = 0; n < 11; n += 1) await logIn(email, `guess number ${n}`);
  expectRefusal(await logIn(email, password), 429, 'rate_limited');
  const statuses = [];
  for (let n = 0; n < 11; n += 1) {
    const body = { current_password: `guess number ${n}`, password: NEW };
    statuses.push((await change(sessionToken, body)).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  expectRefusal(
    await change(sessionToken, { current_password: password, password: NEW }),
    429,
    'rate_limited',
  );
  const person = await addPerson(service, workspace, 'member');
  const body = { current_password: person.password, password: NEW };
  expect((await change(person.token, body)).status).toBe(200);
});

test('ten failed logins from another address do not prevent the user from changing the password', async () => {
  const { email, sessionToken, password } = workspace;
  for (let n = 0; n < 11; n += 1) await logIn(email, `guess number ${n}`);
  const changed = await change(sessionToken, { current_password: password, password: NEW });
  expect(changed.status).toBe(200);
});
