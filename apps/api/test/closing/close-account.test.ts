import { testWorkspaceOf } from '@switchboard/core';
import { EVENTUALLY } from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, ask, expectRefusal, startService } from '../start-service.ts';
import { addPerson, clientOf, dataOf } from '../workspace-client.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ env: { ALLOW_SIGNUP: 'true', TRUST_PROXY: '1' } });
});
afterAll(() => service.close());

const close = (token: string, json: object = {}) =>
  ask(service.url, '/api/ui/me', { method: 'DELETE', token, json });

const ownersOf = (workspaceId: string) =>
  service.sql<{ user_id: string }>(
    `SELECT user_id FROM members WHERE workspace_id = $1 AND role = 'owner'`,
    [workspaceId],
  );

test('the only owner of a workspace with other members cannot close the account, and the error names the workspace', async () => {
  const workspace = await service.addWorkspace();
  const { workspaceId, sessionToken, password, userId, email } = workspace;
  const owner = clientOf(service, workspace, sessionToken);
  const other = await addPerson(service, workspace, 'member');
  const alone = await ask(service.url, '/api/ui/workspaces', {
    token: sessionToken,
    json: { name: 'Only mine' },
  });
  const { name } = (await owner('')).json as { name: string };
  const named = new RegExp(`these workspaces, which have other members: ${name}\\. Make`);
  expectRefusal(await close(sessionToken, { password }), 400, 'invalid_state', named);
  expect(await ownersOf(workspaceId)).toEqual([{ user_id: userId }]);

  await owner(`/members/${other.userId}`, { method: 'PATCH', json: { role: 'owner' } });
  // A worker copies it to the audit trail.
  await service.sql(
    `INSERT INTO account_changes (user_id, by_operator, action, detail, workspace_ids) VALUES ($1, false, 'member.password_changed', '{}', $2)`,
    [userId, [workspaceId]],
  );
  expect((await close(sessionToken, { password })).json).toEqual({ ok: true });
  expect(
    await service.sql('SELECT action FROM account_changes WHERE user_id = $1', [userId]),
  ).toEqual([{ action: 'member.password_changed' }]);
  expect(await ownersOf(workspaceId)).toEqual([{ user_id: other.userId }]);
  expectRefusal(await ask(service.url, '/api/ui/me', { token: sessionToken }), 401, 'unauthorized');
  const logIn = { json: { email, password } };
  expectRefusal(await ask(service.url, '/api/ui/sessions', logIn), 401, 'unauthorized');

  // The workspace without another member is closed.
  const closed = await service.sql<{ id: string }>(
    'SELECT id FROM workspaces WHERE closed_at IS NOT NULL AND id = ANY($1::uuid[])',
    [[workspaceId, testWorkspaceOf(workspaceId), String(alone.json?.['id'])]],
  );
  expect(closed).toEqual([{ id: alone.json?.['id'] }]);

  const entries = dataOf(await other.client('/audit')).filter(
    ({ action }) => action === 'member.left',
  );
  expect(entries).toMatchObject([
    { actor: { id: userId, name: 'Closed account' }, detail: { account_closed: true } },
  ]);
  const left = await service.sql('SELECT name, password_hash FROM users WHERE email LIKE $1', [
    `%${userId}`,
  ]);
  expect(left).toEqual([{ name: 'Closed account', password_hash: null }]);
  expect(await service.sql('SELECT kind FROM mails WHERE recipient = $1', [email])).toEqual([
    { kind: 'account_closed' },
  ]);
  const again = await ask(service.url, '/api/ui/users', { json: { email, password, name: 'Ada' } });
  expect(again.status).toBe(201);
});

/** How many statements wait for the row of a workspace. */
const COUNT_WAITING = `SELECT count(*)::int AS n FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM workspaces%FOR NO KEY UPDATE%'`;

test('of two owners who close their accounts at the same time, one stays, and the workspace has an owner', async () => {
  const workspace = await service.addWorkspace();
  const { workspaceId } = workspace;
  const second = await addPerson(service, workspace, 'owner');
  await addPerson(service, workspace, 'member');
  const gate = new pg.Client({ connectionString: service.database.url });
  await gate.connect();
  try {
    await gate.query('BEGIN');
    await gate.query('SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
    const closing = Promise.all([
      close(workspace.sessionToken, { password: workspace.password }),
      close(second.token, { password: second.password }),
    ]);
    // Both have found another owner, and neither has left.
    const countWaiting = async () => (await service.sql<{ n: number }>(COUNT_WAITING))[0]?.n;
    await expect.poll(countWaiting, EVENTUALLY).toBe(2);
    await gate.query('COMMIT');
    const [closed, refused] = (await closing).toSorted((a, b) => a.status - b.status);
    expect([closed?.status, closed?.json]).toEqual([200, { ok: true }]);
    expect([refused?.status, refused?.json?.['error']]).toEqual([400, 'invalid_state']);
  } finally {
    await gate.end();
  }
  expect(await ownersOf(workspaceId)).toHaveLength(1);
});

test('closing an account takes the password, and without one a session of the last ten minutes', async () => {
  const { sessionToken, password, userId } = await service.addWorkspace();
  expectRefusal(await close(sessionToken), 400, 'missing_params', /`password`/);
  expectRefusal(await close(sessionToken, { password: `${password}!` }), 400, 'invalid_params');
  await service.sql('UPDATE users SET password_hash = NULL WHERE id = $1', [userId]);
  const begin = (ago: string) =>
    service.sql(`UPDATE sessions SET created_at = now() - $2::interval WHERE user_id = $1`, [
      userId,
      ago,
    ]);
  await begin('11 minutes');
  expectRefusal(await close(sessionToken), 403, 'forbidden', /sign in again/);
  await begin('1 minute');
  expect((await close(sessionToken)).status).toBe(200);
});

test('closing an account takes a code where the user has a second factor', async () => {
  const { sessionToken, password, userId } = await service.addWorkspace();
  await service.sql(
    `INSERT INTO second_factors (user_id, sealed_secret, confirmed_at) VALUES ($1, 'x', now())`,
    [userId],
  );
  await service.sql(`INSERT INTO recovery_codes VALUES ($1, sha256('7k2mq9fx4tbdh0wz'))`, [userId]);
  expectRefusal(await close(sessionToken, { password }), 400, 'missing_params', /`code`/);
  const wrong = { password, code: 'aaaa-aaaa-aaaa-aaaa' };
  expectRefusal(await close(sessionToken, wrong), 400, 'invalid_params');
  const right = { password, code: '7k2m-q9fx-4tbd-h0wz' };
  expect((await close(sessionToken, right)).status).toBe(200);
});
