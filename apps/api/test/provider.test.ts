import { randomBytes } from 'node:crypto';
import { provider } from '@switchboard/contracts';
import {
  createCircuitBreakerStore,
  createProviderStore,
  type Database,
} from '@switchboard/database';
import { createSecretBox } from '@switchboard/runtime';
import {
  type ChildProcess,
  EVENTUALLY,
  TEST_SECRET_KEY,
  type WorkspaceFixture,
  startSimulator,
  openTestDatabase,
} from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Service, expectRefusal, startService } from './start-service.ts';
import { type WorkspaceClient, addPerson, clientOf } from './workspace-client.ts';

let simulator: ChildProcess;
let service: Service;
let database: Database;
let workspace: WorkspaceFixture;
let owner: WorkspaceClient;

beforeAll(async () => {
  simulator = await startSimulator();
  service = await startService({ env: { TWILIO_API_URL: simulator.url } });
  const { url } = service.database;
  database = openTestDatabase(url);
});
afterAll(async () => {
  await database.close();
  await service.close();
  await simulator.stop();
});
beforeEach(async () => {
  workspace = await service.addWorkspace({ provider: false });
  owner = clientOf(service, workspace, workspace.sessionToken);
});

const hex = () => randomBytes(16).toString('hex');
const newProvider = () => ({ type: 'twilio', account_sid: `AC${hex()}`, auth_token: hex() });
const put = (json: unknown) => owner('/provider', { method: 'PUT', json });
const read = async () => provider.strict().parse((await owner('/provider')).json);

/** Sets a new provider, and waits until the check that the API then makes by itself has accepted it. */
async function putVerified(): Promise<void> {
  await put(newProvider());
  const isVerified = () =>
    service.sql(
      'SELECT verified_credentials = sealed_secret AS ok FROM provider_accounts WHERE workspace_id = $1',
      [workspace.workspaceId],
    );
  await expect.poll(isVerified, EVENTUALLY).toEqual([{ ok: true }]);
}

async function storedToken(): Promise<string> {
  const rows = await service.sql<{ sealed: string }>(
    'SELECT sealed_secret AS sealed FROM provider_accounts WHERE workspace_id = $1',
    [workspace.workspaceId],
  );
  return rows[0]?.sealed ?? '';
}

describe('provider configuration', () => {
  test('a provider can be set, read, replaced and deleted', async () => {
    expectRefusal(await owner('/provider'), 404, 'not_found');
    expectRefusal(await owner('/provider', { method: 'DELETE' }), 404, 'not_found');
    const first = newProvider();
    const set = await put(first);
    expect(set.status).toBe(200);
    expect(provider.strict().parse(set.json)).toEqual({
      type: 'twilio',
      account_sid: first.account_sid,
      auth_token_last4: first.auth_token.slice(-4),
      messaging_service_sid: null,
      on_unknown: 'resend',
      status: 'ok',
      status_since: null,
      status_detail: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await read()).toEqual(set.json);

    const messaging_service_sid = `MG${hex()}`;
    await put({ ...newProvider(), messaging_service_sid, on_unknown: 'fail' });
    expect(await read()).toMatchObject({ messaging_service_sid, on_unknown: 'fail' });
    // PUT replaces the configuration, so omitted fields are removed.
    await put({ ...newProvider(), messaging_service_sid: null });
    expect(await read()).toMatchObject({ messaging_service_sid: null, on_unknown: 'resend' });

    const deleted = await owner('/provider', { method: 'DELETE' });
    expect([deleted.status, deleted.json]).toEqual([200, { ok: true }]);
    expectRefusal(await owner('/provider'), 404, 'not_found');
  });

  test('an auth token is encrypted for its workspace and field and is never shown', async () => {
    const { auth_token, ...rest } = newProvider();
    const response = await put({ ...rest, auth_token });
    const sealed = await storedToken();
    const box = createSecretBox(TEST_SECRET_KEY);
    const { workspaceId } = workspace;
    expect(box.open(sealed, { workspaceId, field: 'auth_token' })).toBe(auth_token);
    const other = { workspaceId: workspace.userId, field: 'auth_token' };
    expect(() => box.open(sealed, other)).toThrow('another key or owner');

    const shown = [response.text, (await owner('/provider')).text, (await owner('/audit')).text];
    const rows = await service.sql(
      'SELECT p::text, a::text FROM provider_accounts p, audit_entries a',
    );
    const logs = service.apis.flatMap(({ logs: lines }) => lines);
    expect(JSON.stringify([shown, rows, logs])).not.toContain(auth_token);
  });

  test('the last characters of a short auth token are not shown', async () => {
    await put({ ...newProvider(), auth_token: 'short-token' });
    expect((await read()).auth_token_last4).toBe('');
  });
});

describe('provider credentials', () => {
  const verify = () => owner('/provider/verify', { method: 'POST' });

  test('valid and invalid credentials are verified with the provider', async () => {
    expectRefusal(await verify(), 400, 'provider_not_configured');
    const good = newProvider();
    await put(good);
    const first = await verify();
    expect([first.status, first.json]).toEqual([
      200,
      { ok: true, detail: expect.stringContaining('active') },
    ]);
    // The simulator stores the first token, so any other token is wrong.
    await put({ ...good, auth_token: hex() });
    const second = await verify();
    expect([second.status, second.json?.['ok']]).toEqual([200, false]);
    expect(second.json?.['detail']).toEqual(expect.stringContaining('refused'));
  });

  test('refused credentials are stored, but with strict handling the old credentials are kept', async () => {
    const good = newProvider();
    const putStrictly = (json: unknown) =>
      owner('/provider', { method: 'PUT', json, headers: { prefer: 'handling=strict' } });
    const stored = await putStrictly(good);
    expect([stored.status, stored.headers.get('preference-applied')]).toEqual([
      200,
      'handling=strict',
    ]);
    expectRefusal(
      await putStrictly({ ...good, auth_token: hex() }),
      400,
      'invalid_params',
      /^`auth_token` was refused by the provider: /,
    );
    expect(await read()).toEqual(stored.json);
    expect((await verify()).json?.['ok']).toBe(true);

    const lenient = await put({ ...good, auth_token: hex() });
    expect([lenient.status, lenient.headers.get('preference-applied')]).toEqual([200, null]);
  });

  test('a member may verify credentials, but only an owner may change them', async () => {
    await put(newProvider());
    const { client } = await addPerson(service, workspace, 'member');
    expect((await client('/provider')).status).toBe(200);
    expect((await client('/provider/verify', { method: 'POST' })).status).toBe(200);
    const json = newProvider();
    expectRefusal(await client('/provider', { method: 'PUT', json }), 403, 'forbidden', 'owner');
    expectRefusal(await client('/provider', { method: 'DELETE' }), 403, 'forbidden', 'owner');
  });

  test('refused credentials are shown as refused until the provider accepts them or new credentials are set', async () => {
    const store = createProviderStore(database);
    const { workspaceId } = workspace;
    await putVerified();
    const refused = { workspaceId, sealedSecret: await storedToken() };
    await store.recordRefusal({ ...refused, detail: '20003: Authenticate' });
    const shown = await read();
    expect(shown).toMatchObject({
      status: 'credentials_refused',
      status_since: expect.any(String),
      status_detail: '20003: Authenticate',
    });
    // The time of the first refusal in a row is kept.
    await store.recordRefusal({ ...refused, detail: 'again' });
    expect(await read()).toEqual(shown);
    await store.recordSuccess(refused);
    expect(await read()).toMatchObject({ status: 'ok', status_since: null, status_detail: null });

    await store.recordRefusal({ ...refused, detail: 'refused' });
    await putVerified();
    expect((await read()).status).toBe('ok');
    // A late report about the old credentials does not change the new ones.
    await store.recordRefusal({ ...refused, detail: 'late' });
    expect((await read()).status).toBe('ok');
    const current = { workspaceId, sealedSecret: await storedToken() };
    await store.recordRefusal({ ...current, detail: 'refused' });
    await store.recordSuccess(refused);
    expect((await read()).status).toBe('credentials_refused');
    await verify();
    expect((await read()).status).toBe('ok');
  });

  test('credentials with an open circuit breaker are shown as failing until it closes or new credentials are set', async () => {
    const breakers = createCircuitBreakerStore(database);
    const { workspaceId } = workspace;
    await putVerified();
    const used = { workspaceId, sealedSecret: await storedToken() };
    expect(await breakers.open({ ...used, detail: 'Twilio responded with 500.' })).toBe(true);
    expect(await breakers.open({ ...used, detail: 'again' })).toBe(false);
    expect(await read()).toMatchObject({
      status: 'failing',
      status_since: expect.any(String),
      status_detail: 'Twilio responded with 500.',
    });
    await breakers.close(used);
    expect(await read()).toMatchObject({ status: 'ok', status_since: null, status_detail: null });

    await breakers.open({ ...used, detail: 'Twilio responded with 500.' });
    await putVerified();
    expect((await read()).status).toBe('ok');
    // A late report about the old credentials does not change the new ones.
    expect(await breakers.open({ ...used, detail: 'late' })).toBe(false);
    expect((await read()).status).toBe('ok');
  });

  test('credentials that cannot be decrypted fail the verification without revealing why', async () => {
    await putVerified();
    await service.sql(
      `UPDATE provider_accounts SET sealed_secret = 'v1.AAAA.AAAA.AAAA'
       WHERE workspace_id = $1`,
      [workspace.workspaceId],
    );
    expectRefusal(await verify(), 500, 'internal_error', /^An internal error occurred$/);
  });
});
