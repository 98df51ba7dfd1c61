import { createWorkspaceFixture } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { type DocumentedRoute, documentedRoutes, isProviderWebhook } from '../documented.ts';
import { findMixed, readTransactions } from '../read-transactions.ts';
import { ask } from '../start-service.ts';
import { postgres, pool, api, strict, theirs, useDocumentedServices } from './environment.ts';
import {
  record,
  tokenOf,
  isCounted,
  isEvents,
  schemeOf,
  goodBody,
  findUnseen,
} from './record-outcomes.ts';
import { callBack, callBackAsVendor } from './call-back-as-vendor.ts';
import { succeed, useResources } from './create-resources.ts';
import { describeRefusedRequests } from './refused-requests.suite.ts';
import { describeRefusedStates } from './refused-states.suite.ts';

useDocumentedServices();
useResources();

// `ask` already checks each response against the document. These suites trigger every documented
// response.
describeRefusedRequests();
describeRefusedStates();

test('every rate-limited route responds with 429 beyond its limit', async () => {
  for (const route of documentedRoutes.filter(isCounted)) {
    // A new key and user for each route: the minute of one pair may end before the last route.
    const credential = tokenOf(route, await createWorkspaceFixture(postgres.url));
    const first = schemeOf(route) === 'api_key' ? '/api/workspace' : '/api/ui/me';
    expect((await ask(strict.url, first, credential)).status).toBe(200);
    const json = goodBody(route);
    const options = { ...credential, base: strict, upgrade: isEvents(route) };
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
  for (let requests = 0; requests < 51; requests += 1) {
    const mail = { json: { email: 'z@example.com' }, headers };
    const { password } = someone;
    await record('POST /api/ui/password-resets', mail);
    await record('POST /api/ui/email-verifications', mail);
    await record('POST /api/ui/password-resets/none', { json: { password }, headers });
    await record('POST /api/ui/email-verifications/none', { method: 'POST', headers });
  }
  for (let requests = 0; requests < 101; requests += 1) {
    await record('POST /api/ui/sign-in-links/none', { method: 'POST', headers });
    await record('POST /api/ui/oidc/sessions', { method: 'POST', headers });
  }
  expect(findUnseen((_status, code) => code === 'rate_limited')).toEqual([]);
});

/**
 * Changes of content, which has its own history or belongs to one person, and requests that store nothing, or nothing again.
 */
const UNAUDITED =
  /\/(contacts|conversations|media|messages|saved-views|sessions|users|password-resets|email-verifications)\b|\/totp$|\/me\/identity$|\/provider\/verify$|\/test\/inbound$|\/test-workspace$|\/routing\/preview$/;

/** Other changes whose successful request left no audit entry with the address of the client. */
const unaudited: string[] = [];

async function countAuditEntries(): Promise<number> {
  const { rows } = await pool.query<{ entries: number }>(
    `SELECT count(*)::int AS entries FROM audit_entries WHERE ip = '127.0.0.1'`,
  );
  return rows[0]?.entries ?? Number.NaN;
}

async function listAddresses(): Promise<(string | null)[]> {
  const { rows } = await pool.query<{ ip: string | null }>(
    'SELECT DISTINCT ip FROM audit_entries ORDER BY ip',
  );
  return rows.map(({ ip }) => ip);
}

test('every route has a successful response', async () => {
  const order = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
  const ends = (route: DocumentedRoute) => Number(route.path.endsWith('/current'));
  const rank = (route: DocumentedRoute) => ends(route) * 10 + order.indexOf(route.method);
  await callBack('status', { MessageSid: 'SM1', MessageStatus: 'sent' });
  await callBack('inbound', {});
  await callBack('status', {});
  for (const route of documentedRoutes.toSorted((a, b) => rank(a) - rank(b))) {
    const before = await countAuditEntries();
    await succeed(route);
    const isChange =
      route.method !== 'GET' && !isProviderWebhook(route) && !UNAUDITED.test(route.path);
    if (isChange && (await countAuditEntries()) === before) unaudited.push(route.key);
  }
  expect(findUnseen((status) => status < 400)).toEqual([]);
});

test('every route that changes settings of a workspace leaves an audit entry with the address of the client', async () => {
  expect(unaudited).toEqual([]);
  expect(await listAddresses()).toEqual(['127.0.0.1']);
});

test('no statement or transaction of the API touches both tables of accounts and tables of workspaces', async () => {
  const transactions = await readTransactions(postgres, 'switchboard-api');
  const { ofAccounts, ofWorkspaces, mixed } = await findMixed(pool, transactions);
  const longest = (all: Iterable<string[]>) => Math.max(...[...all].map(({ length }) => length));
  expect([longest(ofAccounts), longest(ofWorkspaces)].every((statements) => statements > 4)).toBe(
    true,
  );
  expect(mixed).toEqual([]);
});

async function askAll(): Promise<void> {
  const webhooks = documentedRoutes.filter((route) => isProviderWebhook(route));
  // The API waits for the database in each of these requests, so they run side by side.
  const called = Promise.all(
    webhooks.map((route) =>
      schemeOf(route) === 'provider_signature'
        ? callBack(route.path.split('/').at(-1) ?? '', { MessageSid: 'SM2' })
        : callBackAsVendor(route, 'valid'),
    ),
  );
  for (const route of documentedRoutes) {
    if (webhooks.includes(route)) continue;
    const json = goodBody(route);
    // With open sign-up, the sign-up state does not need the database.
    const base = route.key === 'GET /api/ui/users' ? strict : api;
    await record(route.key, {
      ...tokenOf(route, theirs),
      base,
      upgrade: isEvents(route),
      headers: { cookie: 'switchboard_sign_in=swo_unknown' },
      ...(json && { json }),
    });
  }
  await called;
}

test('unexpected failures and a missing database have their documented responses', async () => {
  const tables = [
    'sessions',
    'api_keys',
    'provider_accounts',
    'users',
    'media_files',
    'account_tokens',
    'user_identities',
    'mails',
  ];
  for (const table of tables) await pool.query(`ALTER TABLE ${table} RENAME TO ${table}_gone`);
  await askAll();
  for (const table of tables) await pool.query(`ALTER TABLE ${table}_gone RENAME TO ${table}`);
  await postgres.stop();
  await askAll();
  expect(findUnseen((status) => status >= 500)).toEqual([]);
});

test('every documented status and error code occurs in this file', () => {
  expect(findUnseen(() => true)).toEqual([]);
});
