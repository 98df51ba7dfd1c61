import { once } from 'node:events';
import { type Client, createClient } from '@switchboard/client';
import {
  EVENTUALLY,
  type ChildProcess,
  type WorkspaceFixture,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Service, ask, startService } from './start-service.ts';

// These tests use every secret in every possible way, and then search the logs for it.

const PASSWORD = 'the first pass phrase';
const NEW_PASSWORD = 'the second pass phrase';
const WRONG_PASSWORD = 'not quite the pass phrase';
const AUTH_TOKEN = 'f00dfacef00dfacef00dfacef00dface';
const WRONG_AUTH_TOKEN = 'badc0ffebadc0ffebadc0ffebadc0ffe';
const BODY = 'what only two people may read';
const REPLY = 'and what one of them answers';
const OURS = '+15558671111';
const THEIRS = '+15558672222';

const ui = '/api/ui/workspaces/{workspaceId}';

let simulator: ChildProcess;
let service: Service;
let worker: ChildProcess;
let workspace: WorkspaceFixture;
let owner: Client;
let params: { workspaceId: string };

beforeAll(async () => {
  simulator = await startSimulator();
  // The tests read messages until they are sent.
  const limits = { RATE_LIMIT_MESSAGING: '100000', RATE_LIMIT_UI: '100000' };
  const env = { TWILIO_API_URL: simulator.url, SWEEP_MS: '200', LOG_LEVEL: 'trace', ...limits };
  service = await startService({ env: { ...env, ALLOW_SIGNUP: 'true' } });
  worker = await startWorker({
    ...env,
    DATABASE_URL: service.database.url,
    PUBLIC_URL: service.url,
  });
  workspace = await service.addWorkspace({ from: null });
  params = { workspaceId: workspace.workspaceId };
  owner = createClient({ baseUrl: service.url, token: workspace.sessionToken });
});
afterAll(async () => {
  await worker.stop();
  await service.close();
  await simulator.stop();
});

const secrets: Record<string, string> = {
  PASSWORD,
  NEW_PASSWORD,
  WRONG_PASSWORD,
  AUTH_TOKEN,
  WRONG_AUTH_TOKEN,
  BODY,
  REPLY,
};

const logs = () => [...service.apis, worker].flatMap((process) => process.logs);

async function configure(auth_token: string): Promise<void> {
  const body = { type: 'twilio', account_sid: workspace.accountSid, auth_token } as const;
  expect(await owner(`PUT ${ui}/provider`, { params, body })).toMatchObject({ ok: true });
  await owner(`POST ${ui}/provider/verify`, { params });
}

async function send(key: string, ended: RegExp): Promise<void> {
  const program = createClient({ baseUrl: service.url, token: key });
  const headers = { 'Idempotency-Key': 'once', Prefer: 'wait=5' };
  const sent = await program('POST /api/messages', { body: { to: THEIRS, body: BODY }, headers });
  if (!sent.ok) throw new Error(sent.detail);
  await vi.waitUntil(
    async () => {
      const read = await program('GET /api/messages/{messageId}', {
        params: { messageId: sent.data.id },
      });
      return read.ok && ended.test(read.data.status);
    },
    { ...EVENTUALLY, interval: 100 },
  );
}

test('users sign up, log in and out, change passwords and invite others', async () => {
  const signedOut = createClient({ baseUrl: service.url });
  const email = 'someone@example.com';
  const body = { email, password: PASSWORD, name: 'Someone' };
  const signedUp = await signedOut('POST /api/ui/users', { body });
  if (!signedUp.ok) throw new Error(signedUp.detail);
  const { token } = signedUp.data;
  secrets['the session token'] = token;
  await signedOut('POST /api/ui/users', { body });
  await signedOut('POST /api/ui/sessions', { body: { email, password: WRONG_PASSWORD } });
  const someone = createClient({ baseUrl: service.url, token });
  const change = { current_password: PASSWORD, password: NEW_PASSWORD };
  expect(await someone('POST /api/ui/me/password', { body: change })).toMatchObject({ ok: true });
  const invited = await owner(`POST ${ui}/members`, {
    params,
    body: { email: 'new@example.com', role: 'member' },
  });
  if (!invited.ok) throw new Error('not invited');
  const { invite_token: invite } = invited.data;
  secrets['the invite'] = invite;
  // The token is in the path of its route and, as in an old link or by mistake, in a query.
  expect(
    await someone('POST /api/ui/invites/{token}/accept', { params: { token: invite } }),
  ).toMatchObject({ ok: true });
  await ask(service.url, `/sign-up?invite=${invite}`);
  await ask(service.url, `/api/nowhere/${invite}?token=${token}`);
  await someone('DELETE /api/ui/sessions/current');
  // Expired tokens and invalid keys must not be logged either.
  await someone('GET /api/ui/me');
  await ask(service.url, '/api/workspace', { token: `${token}x` });
});

test('a program sends, receives and follows messages and causes every kind of error', async () => {
  const made = await owner(`POST ${ui}/api-keys`, { params, body: { name: 'Program' } });
  if (!made.ok) throw new Error(made.detail);
  const { key } = made.data;
  secrets['the API key'] = key;
  await configure(AUTH_TOKEN);
  const number = await owner(`POST ${ui}/numbers`, { params, body: { number: OURS } });
  expect(number).toMatchObject({ ok: true, data: { inbound_wired: true } });

  const watched: string[] = [];
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/api/events`, [
    'messaging.v1',
    `bearer.${key}`,
  ]);
  socket.on('message', (data: Buffer) => watched.push(data.toString()));
  await once(socket, 'open');
  await send(key, /^delivered$/);
  const inbound = { to: OURS, from: THEIRS, body: REPLY };
  await ask(simulator.url, '/simulator/inbound', { json: inbound });
  await vi.waitUntil(() => watched.some((frame) => frame.includes(REPLY)), EVENTUALLY);
  socket.close();
  await once(socket, 'close');

  // Numbers also occur in queries, in different encodings.
  for (const to of [THEIRS, ` ${THEIRS.slice(1)}`]) {
    for (const spelled of [encodeURIComponent(to), to.replace(' ', '%20')]) {
      await ask(service.url, `/api/messages?to=${spelled}`, { token: key });
    }
  }
  const optOut = { params: { ...params, number: THEIRS } };
  await owner(`POST ${ui}/opt-outs`, { params, body: { number: THEIRS } });
  await owner(`DELETE ${ui}/opt-outs/{number}`, optOut);

  // Internal errors are logged with their cause.
  for (const table of ['message_records', 'opt_outs', 'provider_accounts']) {
    await service.sql(`ALTER TABLE ${table} RENAME TO ${table}_gone`);
    const json = { to: THEIRS, body: BODY };
    await ask(service.url, '/api/messages', { token: key, json });
    await ask(simulator.url, '/simulator/inbound', { json: inbound });
    await service.sql(`ALTER TABLE ${table}_gone RENAME TO ${table}`);
  }
  await ask(service.url, '/api/messages', {
    token: key,
    raw: `{"to":"${THEIRS}","body":"${BODY}"`,
    headers: { 'content-type': 'application/json' },
  });

  // The provider refuses the credentials of the worker as well.
  await configure(WRONG_AUTH_TOKEN);
  const json = { to: THEIRS, body: BODY };
  await ask(service.url, '/api/messages', { token: key, json });
  await vi.waitUntil(() => worker.logs.some((line) => line.includes('"level":"warn"')), EVENTUALLY);
});

test('the logs contain all requests and failures, but no secret', () => {
  const text = logs().join('\n');
  // Proves that the logs are not empty.
  expect(logs().length).toBeGreaterThan(60);
  expect(text).toContain('"error_code":"send_failed"');
  expect(text).toContain('/api/ui/me/password');

  secrets['our session'] = workspace.sessionToken;
  secrets['our password'] = workspace.password;
  for (const [name, secret] of Object.entries(secrets)) {
    const found = logs().filter(
      (line) => line.includes(secret) || line.includes(encodeURIComponent(secret)),
    );
    expect([name, found]).toEqual([name, []]);
  }
  for (const number of [OURS, THEIRS]) {
    expect(logs().filter((line) => line.includes(number.slice(1)))).toEqual([]);
  }
});
