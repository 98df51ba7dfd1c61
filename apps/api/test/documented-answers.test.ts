import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exampleOf } from '@switchboard/contracts';
import { QUOTAS } from '@switchboard/core';
import {
  type ChildProcess,
  type PostgresServer,
  type WorkspaceFixture,
  createWorkspaceFixture,
  startApi,
  startPostgres,
} from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Fields, sign } from './call-back.ts';
import { type DocumentedRoute, codesOf, documentedRoutes } from './documented.ts';
import {
  type Sql,
  insertApiKeys,
  insertInvites,
  insertMembers,
  insertNumbers,
  insertOptOuts,
  insertWorkspaces,
} from './fill-quotas.ts';
import { type AskOptions, ask, speak } from './start-service.ts';
import { type AppRequest, askApp } from './tenancy/ask-app.ts';

// `ask` already checks each response against the document. This file provokes every documented one.

/** For example `GET /api/messages 400 invalid_params`, or without a code for a success. */
const seen = new Set<string>();

let provider: Server;
let postgres: PostgresServer;
let pool: pg.Pool;
let api: ChildProcess;
/** An API with a limit of one request per minute and sign-up by invite only. */
let strict: ChildProcess;
let ours: WorkspaceFixture;
let theirs: WorkspaceFixture;
/** A workspace without a provider, and one with a provider but without a sender. */
let bare: WorkspaceFixture;
let senderless: WorkspaceFixture;
/** A workspace with all quotas used up, also those of its owner. */
let full: WorkspaceFixture;
/** The values of path variables, of our own workspace. */
let things: Record<string, string>;

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const RECIPIENT = '+15557654321';
const PICTURE = `ME${'1'.repeat(32)}`;
const LOST_PICTURE = `ME${'2'.repeat(32)}`;

beforeAll(async () => {
  provider = createServer((request, response) => {
    if (request.url?.endsWith(PICTURE)) response.writeHead(200, { 'content-type': 'image/png' });
    else response.statusCode = 500;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;

  postgres = await startPostgres();
  pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
  pool.on('error', () => undefined);
  const env = {
    DATABASE_URL: postgres.url,
    TWILIO_API_URL: providerUrl,
    LOG_LEVEL: 'fatal',
  };
  api = await startApi({
    ...env,
    RATE_LIMIT_MESSAGING: '10000',
    RATE_LIMIT_UI: '10000',
    SOCKET_LIMIT_KEY: '1',
    SOCKET_LIMIT_USER: '1',
    ALLOW_SIGNUP: 'true',
    TRUST_PROXY: '1',
  });
  strict = await startApi({ ...env, RATE_LIMIT_MESSAGING: '1', RATE_LIMIT_UI: '1' });

  const add = (options = {}) => createWorkspaceFixture(postgres.url, options);
  ours = await add();
  theirs = await add({ from: '+15550001111' });
  bare = await add({ provider: false });
  senderless = await add({ from: null });
  full = await add();
  const sql: Sql = (text, values) => pool.query(text, values);
  await insertApiKeys(sql, full.workspaceId, QUOTAS.apiKeysPerWorkspace);
  await insertNumbers(sql, full.workspaceId, QUOTAS.numbersPerWorkspace);
  await insertWorkspaces(sql, full.userId, QUOTAS.workspacesPerOwner);
  await insertMembers(sql, full.workspaceId, QUOTAS.membersPerWorkspace);
  await insertInvites(sql, full, QUOTAS.invitesPerWorkspace - 2);
  await insertOptOuts(sql, full.workspaceId, QUOTAS.addedOptOutsPerWorkspace);
  things = { workspaceId: ours.workspaceId, index: '0', ...(await createThings(providerUrl)) };
});
afterAll(async () => {
  await api.stop();
  await strict.stop();
  await pool.end();
  await postgres.close();
  provider.close();
});

async function createThings(providerUrl: string): Promise<Record<string, string>> {
  const { workspaceId, sessionToken: token } = ours;
  const make = async (path: string, json: object): Promise<Record<string, unknown>> => {
    const answer = await ask(api.url, `/api/ui/workspaces/${workspaceId}${path}`, { token, json });
    expect(answer.status).toBe(201);
    return answer.json ?? {};
  };
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const message = await make('/messages', { to: RECIPIENT, body: 'Later', scheduled_at: at });
  const number = await make('/numbers', { number: '+15550002222' });
  const key = await make('/api-keys', { name: 'To be revoked' });
  await make('/opt-outs', { number: '+15550003333' });
  const { token: inviteToken } = await invite(ours, theirs.email);
  const joined = await accept(inviteToken, theirs);
  expect(joined).toBe('201');
  const media = `${providerUrl}/2010-04-01/Accounts/${ours.accountSid}/Messages/MM${'a'.repeat(32)}/Media`;
  // The second is outside the account, and the provider does not respond for the third.
  await receive('MMreceived', [
    `${media}/${PICTURE}`,
    'https://127.0.0.1/',
    `${media}/${LOST_PICTURE}`,
  ]);
  return {
    messageId: String(message['id']),
    numberId: String(number['id']),
    keyId: String(key['id']),
    number: encodeURIComponent('+15550003333'),
    userId: theirs.userId,
    inviteId: (await invite(ours, 'guest@example.com')).id,
    token: (await invite(theirs, ours.email)).token,
    sessionId: await startSession(ours),
  };
}

async function invite(
  { workspaceId, sessionToken: token }: WorkspaceFixture,
  email: string,
): Promise<{ id: string; token: string }> {
  const path = `/api/ui/workspaces/${workspaceId}`;
  const made = await ask(api.url, `${path}/members`, { token, json: { email, role: 'member' } });
  const listed = await ask(api.url, `${path}/invites`, { token });
  const all = listed.json?.['data'] as { id: string; email: string }[];
  const { id = '' } = all.find((one) => one.email === email) ?? {};
  return { id, token: String(made.json?.['invite_token']) };
}

function accept(inviteToken: string, { sessionToken: token }: WorkspaceFixture): Promise<string> {
  return record(`POST /api/ui/invites/${inviteToken}/accept`, { token });
}

/** Signs the user in again and returns the id of the session. */
async function startSession({ email, password }: WorkspaceFixture): Promise<string> {
  const started = await ask(api.url, '/api/ui/sessions', { json: { email, password } });
  const token = String(started.json?.['token']);
  const listed = await ask(api.url, '/api/ui/sessions', { token });
  const all = listed.json?.['data'] as { id: string; is_current: boolean }[];
  return all.find((session) => session.is_current)?.id ?? '';
}

function receive(sid: string, media: string[]): Promise<unknown> {
  const urls = media.map((url, at) => [`MediaUrl${at}`, url] as const);
  return callBack('inbound', {
    MessageSid: sid,
    From: RECIPIENT,
    To: ours.from,
    ...Object.fromEntries(urls),
  });
}

function callBack(kind: string, fields: Fields, base = api): Promise<unknown> {
  const path = `/api/webhooks/twilio/${ours.workspaceId}/${kind}`;
  const all = { AccountSid: ours.accountSid, ...fields };
  return record(`POST ${path}`, {
    base,
    raw: new URLSearchParams(all).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': sign(ours.authToken, base.url + path, all),
    },
  });
}

interface RequestOptions extends AskOptions {
  base?: ChildProcess;
  upgrade?: boolean;
}

/** Sends a request and records the response. `key` is a method and a path, with or without variables. */
async function record(key: string, options: RequestOptions = {}): Promise<string> {
  const [method = '', template = ''] = key.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => things[name] ?? '');
  const { base = api, upgrade, ...asked } = options;
  const { token, headers } = asked;
  const { status, text } = upgrade
    ? await askForSocket(base.url, { method, path, token, ...(headers && { headers }) })
    : await ask(base.url, path, { ...asked, method });
  return note(method, path, status, text);
}

async function askForSocket(url: string, request: AppRequest) {
  const { status, body } = await askApp(url, { ...request, upgrade: true });
  return { status, text: body };
}

function note(method: string, path: string, status: number, text: string): string {
  const code = status >= 400 ? ` ${(JSON.parse(text) as { error: string }).error}` : '';
  const route = documentedRoutes.find(
    (one) =>
      one.method === method &&
      one.path.split('/').length === path.split('?')[0]?.split('/').length &&
      new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0] ?? ''),
  );
  const outcome = `${status}${code}`;
  seen.add(`${route?.key ?? path} ${outcome}`);
  return outcome;
}

function tokenOf({ endpoint }: DocumentedRoute, who: WorkspaceFixture = ours): AskOptions {
  if (endpoint.credential === 'api_key') return { token: who.apiKey };
  return endpoint.credential === 'session' ? { token: who.sessionToken } : {};
}

const isCounted = (route: DocumentedRoute) => tokenOf(route).token !== undefined;
const isEvents = ({ path }: DocumentedRoute) => path.endsWith('/events');
const schemeOf = ({ endpoint }: DocumentedRoute) => endpoint.credential;

/** The example body of the definition, changed where it cannot succeed here. */
function goodBody({ endpoint: { route, name, credential } }: DocumentedRoute): object | undefined {
  if (route.body === undefined || route.bodyType !== undefined) return undefined;
  const changes: Record<string, object> = {
    logIn: { email: ours.email, password: ours.password },
    changePassword: { current_password: ours.password, password: ours.password },
    addNumber: { number: credential === 'session' ? '+15550005555' : '+15550006666' },
  };
  return { ...(exampleOf(route.body, 'input') as object), ...changes[name] };
}

/** Creates new things where an earlier request has canceled, ended or removed them. */
async function renew(path: string): Promise<void> {
  const token = ours.apiKey;
  if (path.includes('{messageId}')) {
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    const json = { to: RECIPIENT, body: 'Later', scheduled_at };
    const made = await ask(api.url, '/api/messages', { token, json });
    things['messageId'] = String(made.json?.['id']);
  }
  if (path.includes('{numberId}')) {
    numbers += 1;
    const json = { number: `+1555100${String(numbers).padStart(4, '0')}` };
    const made = await ask(api.url, '/api/numbers', { token, json });
    things['numberId'] = String(made.json?.['id']);
  }
  // These routes end other sessions of the user, so they use a new session.
  if (path.includes('{sessionId}')) things['sessionId'] = await startSession(ours);
}
let numbers = 0;

async function succeed(route: DocumentedRoute): Promise<void> {
  const { key, path, method } = route;
  if (schemeOf(route) === 'provider_signature') return;
  const json = goodBody(route);
  const at = path.includes('{index}') ? key.replace('{messageId}', 'MMreceived') : key;
  if (method !== 'GET') await renew(path);
  const outcome = await record(at, {
    ...tokenOf(route),
    ...(json && { json }),
    upgrade: isEvents(route),
  });
  expect([key, outcome]).toEqual([key, expect.stringMatching(/^(101|20[01])$/)]);
}

/** Returns the documented responses with these statuses and codes that have not been seen yet. */
function findUnseen(isAskedFor: (status: number, code: string) => boolean): string[] {
  const documented = documentedRoutes.flatMap((route) => [
    {
      status: route.endpoint.route.answer.status,
      code: '',
      outcome: `${route.key} ${route.endpoint.route.answer.status}`,
    },
    ...codesOf(route).map(({ status, code }) => ({
      status,
      code,
      outcome: `${route.key} ${status} ${code}`,
    })),
  ]);
  return documented
    .filter(({ status, code, outcome }) => isAskedFor(status, code) && !seen.has(outcome))
    .map(({ outcome }) => outcome);
}

test('every route refuses malformed requests', async () => {
  for (const route of documentedRoutes) {
    const { key, method, endpoint } = route;
    const token = tokenOf(route);
    const [query] = Object.keys(endpoint.route.query?.shape ?? {});
    if (endpoint.route.body !== undefined) {
      const headers = { 'content-type': 'application/json' };
      await record(key, { ...token, raw: '{', headers });
      await record(key, { ...token, json: {} });
      await record(key, { ...token, json: [] });
      await record(key, { ...token, json: { name: 5 } });
    } else if (query !== undefined && method === 'GET') {
      await record(`${key}?${query}=1&${query}=2`, { ...token, upgrade: isEvents(route) });
    } else {
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => things[name] ?? '');
      const heard = await speak(api.url, [
        `${method} ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`,
      ]);
      const [head = '', body = ''] = heard.split('\r\n\r\n');
      note(method, path, Number(head.split(' ')[1]), body);
    }
  }
  const form = ['invalid_params', 'missing_params', 'invalid_name'];
  const missing = findUnseen((_status, code) => form.includes(code));
  // Provider webhooks check the signature before the form.
  expect(missing.filter((outcome) => !outcome.includes('/webhooks/'))).toEqual([]);
});

test('every route refuses requests without authorization', async () => {
  for (const route of documentedRoutes) {
    const { key, path } = route;
    const upgrade = isEvents(route);
    if (schemeOf(route) === 'provider_signature') {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      await record(key, { raw: 'MessageSid=SM1', headers });
    }
    if (!isCounted(route)) continue;
    await record(key, { upgrade, ...(goodBody(route) && { json: goodBody(route) }) });
    if (!path.includes('{')) continue;
    const token = tokenOf(route);
    const last = /\{\w+\}(?!.*\{)/.exec(path)?.[0] ?? '';
    await record(key.replace(last, UNKNOWN_ID), { ...token, upgrade });
    if (!path.includes('{workspaceId}')) continue;
    await record(key.replace('{workspaceId}', UNKNOWN_ID), { ...token, upgrade });
    await record(key.replace('{workspaceId}', bare.workspaceId), { ...token, upgrade });
  }
  expect(findUnseen((_status, code) => code === 'forbidden')).toEqual([
    'POST /api/messages 403 forbidden',
    'GET /api/events 403 forbidden',
    'POST /api/ui/users 403 forbidden',
  ]);
});

test('routes refuse requests that the state of the workspace does not allow', async () => {
  const json = { to: RECIPIENT, body: 'Hello' };
  for (const prefix of ['/api', '/api/ui/workspaces/{workspaceId}']) {
    const as = async (who: WorkspaceFixture, path: string, options: AskOptions = {}) => {
      const [method, rest = ''] = path.split(' ');
      const key = `${method} ${prefix}${rest}`.replace('{workspaceId}', who.workspaceId);
      return record(key, { token: prefix === '/api' ? who.apiKey : who.sessionToken, ...options });
    };
    await as(bare, 'POST /messages', { json });
    await as(senderless, 'POST /messages', { json });
    await as(ours, 'POST /messages', { json: { ...json, to: '+15550003333' } });
    await as(ours, 'POST /messages', { json: { ...json, from: theirs.from } });
    const headers = { 'idempotency-key': `key ${prefix}` };
    await as(ours, 'POST /messages', { json, headers });
    await as(ours, 'POST /messages', { json: { ...json, body: 'Other' }, headers });
    await as(ours, 'POST /messages/MMreceived/cancel');
    await as(ours, 'GET /messages/MMreceived/media/1');
    await as(ours, 'GET /messages/MMreceived/media/2');
    await as(ours, 'POST /numbers', { json: { number: ours.from } });
    await as(full, 'POST /numbers', { json: { number: '+15550007777' } });
    const listed = await ask(api.url, '/api/numbers', { token: ours.apiKey });
    const all = listed.json?.['data'] as { id: string; is_default: boolean }[];
    const { id = '' } = all.find((number) => number.is_default) ?? {};
    await as(ours, `PATCH /numbers/${id}`, { json: { is_default: false } });
    await pool.query(`UPDATE messages SET workspace_id = $1 WHERE provider_sid = 'MMreceived'`, [
      bare.workspaceId,
    ]);
    await as(bare, 'GET /messages/MMreceived/media/0');
    await pool.query(`UPDATE messages SET workspace_id = $1 WHERE provider_sid = 'MMreceived'`, [
      ours.workspaceId,
    ]);
  }
  const asOurs = { token: ours.sessionToken };
  const ui = '/api/ui/workspaces/{workspaceId}';
  await record(`GET /api/ui/workspaces/${bare.workspaceId}/provider`, { token: bare.sessionToken });
  await record(`DELETE /api/ui/workspaces/${bare.workspaceId}/provider`, {
    token: bare.sessionToken,
  });
  await record(`POST /api/ui/workspaces/${bare.workspaceId}/provider/verify`, {
    token: bare.sessionToken,
  });
  await record(`POST ${ui}/opt-outs`, { ...asOurs, json: { number: '+15550003333' } });
  await record(`POST ${ui}/members`, { ...asOurs, json: { email: theirs.email, role: 'owner' } });
  await record(`PATCH ${ui}/members/${ours.userId}`, { ...asOurs, json: { role: 'member' } });
  await record(`DELETE ${ui}/members/${ours.userId}`, asOurs);

  const someone = { password: 'long enough a password', name: 'Someone' };
  await record('POST /api/ui/users', { json: { ...someone, email: ours.email } });
  await record('POST /api/ui/users', {
    json: { ...someone, email: 'x@example.com', invite_token: 'made-up' },
  });

  await record('POST /api/ui/workspaces', { token: full.sessionToken, json: { name: 'One more' } });
  await record(`POST /api/ui/workspaces/${full.workspaceId}/api-keys`, {
    token: full.sessionToken,
    json: { name: 'One more' },
  });
  // The last two invites of the full workspace.
  const { token: late } = await invite(full, bare.email);
  expect(await accept(late, bare)).toBe('403 quota_exceeded');
  const { token: later } = await invite(full, 'late@example.com');
  await record('POST /api/ui/users', {
    json: { ...someone, email: 'late@example.com', invite_token: later },
  });
  await record(`POST /api/ui/workspaces/${full.workspaceId}/members`, {
    token: full.sessionToken,
    json: { email: 'one-more@example.com', role: 'member' },
  });
  await record(`POST /api/ui/workspaces/${full.workspaceId}/opt-outs`, {
    token: full.sessionToken,
    json: { number: RECIPIENT },
  });
  const { token: crossed } = await invite(theirs, bare.email);
  // As if the user became a member while the invite was created.
  await pool.query(
    `INSERT INTO members (workspace_id, user_id, role, created_at) VALUES ($1, $2, 'member', now())`,
    [theirs.workspaceId, bare.userId],
  );
  await accept(crossed, bare);

  for (let failures = 0; failures < 11; failures += 1) {
    await record('POST /api/ui/sessions', { json: { email: 'y@example.com', password: 'wrong' } });
  }
  await exhaustSockets('/api/events', full.apiKey);
  await exhaustSockets(`/api/ui/workspaces/${full.workspaceId}/events`, full.sessionToken);
  for (const [prefix, token] of [
    ['/api', ours.apiKey],
    [ui, ours.sessionToken],
  ] as const) {
    await record(`GET ${prefix}/events`, { token });
    const headers = { origin: 'https://elsewhere.example' };
    await record(`GET ${prefix}/events`, { token, headers, upgrade: true });
  }
  const left = ['service_unavailable', 'internal_error', 'send_failed', 'update_failed'];
  const states = (status: number, code: string) => status >= 400 && !left.includes(code);
  const missing = findUnseen((status, code) => states(status, code) && code !== 'rate_limited');
  expect(missing.filter((outcome) => !outcome.includes('/webhooks/'))).toEqual([]);
});

/** Opens the only socket that the credential may have, and tries to open another one. */
async function exhaustSockets(path: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(api.url.replace('http', 'ws') + path, { headers });
  await once(socket, 'open');
  await record(`GET ${path}`, { token, upgrade: true });
  socket.close();
  await once(socket, 'close');
}

test('every rate-limited route responds with 429 beyond its limit', async () => {
  // A new key and user, so that their minute starts here and does not end during the test.
  const limited = await createWorkspaceFixture(postgres.url);
  await ask(strict.url, '/api/workspace', { token: limited.apiKey });
  await ask(strict.url, '/api/ui/me', { token: limited.sessionToken });
  for (const route of documentedRoutes.filter(isCounted)) {
    const json = goodBody(route);
    const options = { ...tokenOf(route, limited), base: strict, upgrade: isEvents(route) };
    const outcome = await record(route.key, { ...options, ...(json && { json }) });
    expect([route.key, outcome]).toEqual([route.key, '429 rate_limited']);
  }
  // A separate address, so that the sign-ups of other tests are not refused.
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const someone = { email: 'z@example.com', password: 'long enough a password', name: 'Someone' };
  const json = { ...someone, invite_token: 'made-up' };
  for (let signUps = 0; signUps < 51; signUps += 1) {
    await record('POST /api/ui/users', { json, headers });
  }
  expect(findUnseen((_status, code) => code === 'rate_limited')).toEqual([]);
});

test('every route has a successful response', async () => {
  const order = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
  const ends = (route: DocumentedRoute) => Number(route.path.endsWith('/current'));
  const rank = (route: DocumentedRoute) => ends(route) * 10 + order.indexOf(route.method);
  await callBack('status', { MessageSid: 'SM1', MessageStatus: 'sent' });
  await callBack('inbound', {});
  await callBack('status', {});
  for (const route of documentedRoutes.toSorted((a, b) => rank(a) - rank(b))) {
    await succeed(route);
  }
  expect(findUnseen((status) => status < 400)).toEqual([]);
});

async function askAll(): Promise<void> {
  for (const route of documentedRoutes) {
    if (schemeOf(route) === 'provider_signature') {
      await callBack(route.path.split('/').at(-1) ?? '', { MessageSid: 'SM2' });
    } else {
      const json = goodBody(route);
      // With open sign-up, the sign-up state does not need the database.
      const base = route.key === 'GET /api/ui/users' ? strict : api;
      await record(route.key, {
        ...tokenOf(route, theirs),
        base,
        upgrade: isEvents(route),
        ...(json && { json }),
      });
    }
  }
}

test('unexpected failures and a missing database have their documented responses', async () => {
  const tables = ['sessions', 'api_keys', 'provider_configurations', 'users'];
  for (const table of tables) await pool.query(`ALTER TABLE ${table} RENAME TO ${table}_gone`);
  await askAll();
  for (const table of tables) await pool.query(`ALTER TABLE ${table}_gone RENAME TO ${table}`);
  await postgres.stop();
  await askAll();
  expect(findUnseen((status) => status >= 500)).toEqual([]);
});

test('every documented status and error code has been seen in this file', () => {
  expect(findUnseen(() => true)).toEqual([]);
});
