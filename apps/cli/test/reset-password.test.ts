import { createTotpCode, toTotpStep } from '@switchboard/credentials';
import {
  type ChildProcess,
  type TestDatabase,
  createTestDatabase,
  createWorkspaceFixture,
  runCommand,
  startApi,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let database: TestDatabase;
let api: ChildProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startApi({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const run = (email: string, ...more: string[]) =>
  runCommand('reset-password', {
    env: { DATABASE_URL: database.url, PUBLIC_URL: 'https://sms.example.com' },
    args: [email, ...more],
  });

test('with OIDC_ONLY, the command prints no link, because the link would be refused', async () => {
  const { email } = await createWorkspaceFixture(database.url);
  const env = { DATABASE_URL: database.url, PUBLIC_URL: 'https://sms.example.com' };
  const args = [email];
  const { code, stdout, stderr } = await runCommand('reset-password', {
    env: { ...env, OIDC_ONLY: 'true' },
    args,
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('npm run sign-in-link -- EMAIL');
});

async function send(method: string, path: string, token: string | null, body?: object) {
  const response = await fetch(api.url + path, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

test('the command prints a link with which a user of a service without mail chooses a new password', async () => {
  const { email, sessionToken, workspaceId, userId } = await createWorkspaceFixture(database.url);
  const first = await run(email);
  const { code, stdout, stderr } = await run(` ${email.toUpperCase()} `);
  expect([code, stderr]).toEqual([0, '']);
  const tokenOf = (text: string) =>
    /^https:\/\/sms\.example\.com\/reset-password#token=(swr_\w{43})\n$/.exec(text)?.[1] ?? '';
  const password = 'a newer and longer password';
  const reset = (token: string) =>
    send('POST', `/api/ui/password-resets/${token}`, null, { password });
  expect((await reset(tokenOf(first.stdout))).status).toBe(404);
  expect((await reset(tokenOf(stdout))).status).toBe(200);
  expect((await send('GET', '/api/ui/me', sessionToken)).status).toBe(401);
  const { status, json } = await send('POST', '/api/ui/sessions', null, { email, password });
  expect(status).toBe(201);
  const token = String(json['token']);
  // The operator knows the user, but the link does not prove that the address is the user's.
  const me = await send('GET', '/api/ui/me', token);
  expect(me.json).toMatchObject({ email_confirmed: false, sends_mail: false });
  const audit = await send('GET', `/api/ui/workspaces/${workspaceId}/audit`, token);
  expect(audit.json['data']).toMatchObject([
    { action: 'member.password_reset', target: userId, detail: { link: 'operator' } },
    { action: 'member.reset_link_created', actor: { type: 'operator' }, detail: { email } },
    { action: 'member.reset_link_created', actor: { type: 'operator' } },
  ]);
});

test('the command removes the second factor of a user who has lost it, and records it', async () => {
  const { email, password, sessionToken, workspaceId, userId } = await createWorkspaceFixture(
    database.url,
  );
  const begun = await send('POST', '/api/ui/totp', sessionToken, { password });
  const secret = String(begun.json['secret']);
  const code = createTotpCode(secret, toTotpStep(Date.now()));
  expect((await send('POST', '/api/ui/totp/confirm', sessionToken, { code })).status).toBe(201);
  const logIn = () => send('POST', '/api/ui/sessions', null, { email, password });
  expect((await logIn()).json).toMatchObject({ detail: 'Second factor required' });

  expect(await run(email, '--remove-second-factor')).toEqual({
    code: 0,
    stdout: `${email} now signs in with the password alone.\n`,
    stderr: '',
  });
  expect((await logIn()).status).toBe(201);
  const audit = await send('GET', `/api/ui/workspaces/${workspaceId}/audit`, sessionToken);
  expect(audit.json['data']).toMatchObject([
    {
      action: 'member.second_factor_removed',
      actor: { type: 'operator' },
      target: userId,
      detail: { email },
    },
    { action: 'member.second_factor_enabled', actor: { type: 'user' } },
  ]);
  expect(await run(email, '--remove-second-factor')).toMatchObject({
    code: 1,
    stderr: `${email} has no second factor.\n`,
  });
  expect(await run('nobody@example.com', '--remove-second-factor')).toMatchObject({
    code: 1,
    stderr: 'No user has the address nobody@example.com.\n',
  });
});

test('the command names an address that belongs to no user', async () => {
  expect(await run('nobody@example.com')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No user has the address nobody@example.com.\n',
  });
});

test('a service without mail gives the same response to a request for a link, and stores nothing', async () => {
  const { email } = await createWorkspaceFixture(database.url);
  const { status, json } = await send('POST', '/api/ui/password-resets', null, { email });
  expect([status, json]).toEqual([200, { ok: true }]);
  expect((await send('GET', '/api/ui/users', null)).json).toMatchObject({ sends_mail: false });
});
