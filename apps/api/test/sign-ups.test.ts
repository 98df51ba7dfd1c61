import { type ChildProcess, EVENTUALLY, numbersTo, sendEach, startApi } from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type Service, ask, expectRefusal, startService } from './start-service.ts';
import { anEmail, clientOf } from './workspace-client.ts';

let service: Service;
/** An API with open sign-up that trusts the client address in the request. */
let open: ChildProcess;
let closed: ChildProcess;

beforeAll(async () => {
  service = await startService();
  const env = { DATABASE_URL: service.database.url, TRUST_PROXY: '1' };
  [open, closed] = await Promise.all([startApi({ ...env, ALLOW_SIGNUP: 'true' }), startApi(env)]);
  await service.addWorkspace();
});
afterAll(async () => {
  await Promise.all([open.stop(), closed.stop()]);
  await service.close();
});

const PASSWORD = 'a new user’s password';

function signUp(api: ChildProcess, address: string, more: object = {}) {
  return ask(api.url, '/api/ui/users', {
    json: { email: anEmail(), password: PASSWORD, name: 'New', ...more },
    headers: { 'x-forwarded-for': address },
  });
}

/**
 * Locks the table that a sign-up reads before its hash. The returned function ends the lock when the API has so many
 * connections, so that their requests ask for a hash within a short time, however slow the machine is.
 */
async function lockUsers(): Promise<(connections: number) => Promise<void>> {
  const locker = new pg.Client({ connectionString: service.database.url });
  await locker.connect();
  onTestFinished(() => locker.end());
  await locker.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
  const countConnections = async () => {
    const { text } = await ask(open.url, '/metrics');
    return Number(/^switchboard_connections (\d+)$/m.exec(text)?.[1]);
  };
  return async (connections) => {
    await vi.waitFor(
      async () => expect(await countConnections()).toBeGreaterThanOrEqual(connections),
      EVENTUALLY,
    );
    await locker.query('COMMIT');
  };
}

const addressOf = (n: number) => `198.51.${n >> 8}.${n & 255}`;

test('a refused sign-up computes no password hash, even among many concurrent sign-ups', async () => {
  // If they waited for a hash, all but 20 would be answered with 503.
  const responses = await sendEach(
    numbersTo(120),
    (n) => signUp(closed, addressOf(n), n < 60 ? { invite_token: `swi_invented-${n}` } : {}),
    { status: 403, atOnce: 40 },
  );
  for (const response of responses) expectRefusal(response, 403, 'forbidden');
});

test('sign-ups beyond the queue are answered with 503, and a login overtakes waiting sign-ups', async () => {
  const { email, password } = await service.addWorkspace();
  let signUpsDone = 0;
  const releaseUsers = await lockUsers();
  const signUps = Array.from({ length: 80 }, async (_, n) => {
    const response = await signUp(open, addressOf(1_000 + n));
    if (response.status === 201) signUpsDone += 1;
    return response;
  });
  await releaseUsers(80);
  await Promise.race(signUps);
  const login = await ask(open.url, '/api/ui/sessions', { json: { email, password } });
  expect(login.status).toBe(201);
  const doneBefore = signUpsDone;
  const responses = await Promise.all(signUps);
  const refused = responses.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  for (const response of refused) {
    expectRefusal(response, 503, 'service_unavailable');
    expect(response.headers.get('retry-after')).toBe('1');
  }
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(80 - refused.length);
  expect(doneBefore).toBeLessThan(signUpsDone);
});

test('an address may sign up 50 times in 15 minutes, and sign-ups with an accepted invite do not count', async () => {
  const address = '203.0.113.77';
  const workspace = await service.addWorkspace();
  const owner = clientOf(service, workspace, workspace.sessionToken);
  const invent = () => signUp(open, address, { invite_token: 'swi_invented' });
  for (const response of await sendEach(numbersTo(45), invent, { status: 403 })) {
    expectRefusal(response, 403, 'forbidden');
  }
  const email = anEmail();
  const invited = await owner('/members', { json: { email, role: 'member' } });
  const invite_token = invited.json?.['invite_token'];
  expect((await signUp(open, address, { email, invite_token })).status).toBe(201);
  for (let n = 45; n < 50; n += 1) expectRefusal(await invent(), 403, 'forbidden');

  const refused = await signUp(open, address);
  expectRefusal(refused, 429, 'rate_limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
  expectRefusal(await signUp(closed, address, { invite_token: 'x' }), 429, 'rate_limited');
  expect((await signUp(open, '203.0.113.78')).status).toBe(201);
});

test('a user who signs up with an invited address but without the token joins no workspace', async () => {
  const workspace = await service.addWorkspace();
  const owner = clientOf(service, workspace, workspace.sessionToken);
  const json = { email: anEmail(), role: 'owner' };
  const invited = await owner('/members', { json });
  const squatter = await signUp(open, '203.0.113.79', { email: json.email });
  expect(squatter.status).toBe(201);
  const token = String(squatter.json?.['token']);
  const workspaces = async () =>
    (await ask(service.url, '/api/ui/me', { token })).json?.['workspaces'];
  expect(await workspaces()).toEqual([]);
  // A later invite for the registered address must also be accepted with its token.
  expect((await owner('/members', { json })).status).toBe(201);
  expect(await workspaces()).toEqual([]);
  const replaced = `/api/ui/invites/${String(invited.json?.['invite_token'])}/accept`;
  expectRefusal(await ask(open.url, replaced, { method: 'POST', token }), 404, 'not_found');
});

test('a sign-up whose membership cannot be stored succeeds, and its user accepts the invitation later', async () => {
  const workspace = await service.addWorkspace();
  const owner = clientOf(service, workspace, workspace.sessionToken);
  const email = anEmail();
  const invited = await owner('/members', { json: { email, role: 'member' } });
  const invite_token = String(invited.json?.['invite_token']);
  const { workspaceId } = workspace;
  await service.sql(
    `ALTER TABLE members ADD CONSTRAINT planted CHECK (workspace_id <> '${workspaceId}' OR role = 'owner')`,
  );
  const joined = await signUp(open, '203.0.113.80', { email, invite_token });
  await service.sql('ALTER TABLE members DROP CONSTRAINT planted');
  expect(joined.status).toBe(201);
  const token = String(joined.json?.['token']);
  const accept = `/api/ui/invites/${invite_token}/accept`;
  expect((await ask(open.url, accept, { method: 'POST', token })).status).toBe(201);
  const { json } = await ask(open.url, '/api/ui/me', { token });
  expect(json?.['workspaces']).toMatchObject([{ id: workspaceId, role: 'member' }]);
});
