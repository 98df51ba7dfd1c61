import { type PhoneNumber, phoneNumber, phoneNumberList } from '@switchboard/contracts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Database, createProviderStore } from '@switchboard/database';
import { createSecretBox } from '@switchboard/runtime';
import {
  EVENTUALLY,
  type ChildProcess,
  TEST_SECRET_KEY,
  type WorkspaceFixture,
  startApi,
  startSimulator,
  openTestDatabase,
} from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type AskOptions,
  type Service,
  ask,
  expectRefusal,
  startService,
} from './start-service.ts';
import { type WorkspaceClient, clientOf, dataOf } from './workspace-client.ts';

let simulator: ChildProcess;
let service: Service;
let database: Database;
let workspace: WorkspaceFixture;

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
  workspace = await service.addWorkspace({ from: null });
});

let given = 0;
const aNumber = () => `+1555${String(2_000_000 + (given += 1))}`;

/** The routes for API keys and for sessions, which manage the same numbers. */
const WAYS: [string, () => WorkspaceClient][] = [
  [
    'an API key',
    () => (path, options?: AskOptions) =>
      ask(service.url, `/api${path}`, { token: workspace.apiKey, ...options }),
  ],
  ['a session', () => clientOf(service, workspace, workspace.sessionToken)],
];

describe.each(WAYS)('numbers with %s', (_name, way) => {
  let client: WorkspaceClient;
  beforeEach(() => {
    client = way();
  });

  const add = async (json: object) => {
    const response = await client('/numbers', { json });
    expect(response.status).toBe(201);
    return phoneNumber.strict().parse(response.json);
  };
  const defaults = async () =>
    phoneNumberList
      .strict()
      .parse((await client('/numbers')).json)
      .data.filter(({ is_default }) => is_default)
      .map(({ number }) => number);

  test('a number is added, listed, changed and deleted', async () => {
    const number = aNumber();
    const added = await add({ number, label: 'Support' });
    expect(added).toMatchObject({ number, label: 'Support', is_default: true });
    expect(added.inbound_wired).toBe(true);
    expect(added.capabilities).toEqual(['sms', 'mms']);
    expect(dataOf(await client('/numbers'))).toEqual([added]);

    const path = `/numbers/${added.id.toUpperCase()}`;
    const changed = await client(path, { method: 'PATCH', json: { label: '' } });
    expect(phoneNumber.strict().parse(changed.json)).toEqual({ ...added, label: '' });
    const deleted = await client(path, { method: 'DELETE' });
    expect([deleted.status, deleted.json]).toEqual([200, { ok: true }]);
    expect(dataOf(await client('/numbers'))).toEqual([]);
    expectRefusal(await client(path, { method: 'DELETE' }), 404, 'not_found');
  });

  test('exactly one number of a workspace is the default', async () => {
    const [first, second, third] = [aNumber(), aNumber(), aNumber()];
    const one = await add({ number: first, is_default: false });
    expect(await defaults()).toEqual([first]);
    const two = await add({ number: second });
    expect(await defaults()).toEqual([first]);
    await add({ number: third, is_default: true });
    expect(await defaults()).toEqual([third]);

    const makeDefault = (id: string, is_default: boolean) =>
      client(`/numbers/${id}`, { method: 'PATCH', json: { is_default } });
    expect((await makeDefault(two.id, true)).json).toMatchObject({ is_default: true });
    expect(await defaults()).toEqual([second]);
    expectRefusal(await makeDefault(two.id, false), 400, 'invalid_state');
    expect((await makeDefault(one.id, false)).status).toBe(200);

    await client(`/numbers/${two.id}`, { method: 'DELETE' });
    expect(await defaults()).toEqual([first]);
  });

  test('a workspace cannot have the same number twice', async () => {
    const number = aNumber();
    await add({ number });
    expectRefusal(await client('/numbers', { json: { number } }), 400, 'already_exists');
  });

  test('concurrent additions of numbers leave one default number and no duplicates', async () => {
    const numbers = [aNumber(), aNumber()];
    const responses = await Promise.all(
      [...numbers, ...numbers].map((number) =>
        client('/numbers', { json: { number, is_default: true } }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 400, 400,
    ]);
    expect(await defaults()).toHaveLength(1);
  });
});

describe('inbound configuration of numbers', () => {
  const owner = (path: string, options?: AskOptions) =>
    clientOf(service, workspace, workspace.sessionToken)(path, options);
  const post = (json: object) => owner('/numbers', { json });
  const list = async () => dataOf(await owner('/numbers')) as PhoneNumber[];
  const configuredNumbers = async () =>
    (await list()).filter((each) => each.inbound_wired).map((each) => each.number);
  const untilConfigured = (numbers: string[]) =>
    vi.waitFor(async () => expect(await configuredNumbers()).toEqual(numbers), EVENTUALLY);
  const ownProvider = () => ({
    type: 'twilio',
    account_sid: workspace.accountSid,
    auth_token: workspace.authToken,
  });
  const putProvider = (json: object) => owner('/provider', { method: 'PUT', json });

  /** Returns the SmsUrl of each number of the workspace's account in the simulator. */
  async function readSmsUrls(): Promise<Record<string, string>> {
    const { accountSid, authToken } = workspace;
    const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
    const response = await fetch(
      `${simulator.url}/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers.json`,
      { headers: { authorization: `Basic ${basic}` } },
    );
    const { incoming_phone_numbers: owned } = (await response.json()) as {
      incoming_phone_numbers: { phone_number: string; sms_url: string }[];
    };
    return Object.fromEntries(owned.map((each) => [each.phone_number, each.sms_url]));
  }
  const ownSmsUrl = () =>
    `${service.url}/api/webhooks/twilio/${workspace.workspaceId}/inbound#rc=5&rp=all`;

  test('a number that the provider account owns is configured to deliver to its workspace', async () => {
    const number = aNumber();
    expect((await post({ number })).json).toMatchObject({ inbound_wired: true });
    expect(await readSmsUrls()).toEqual({ [number]: ownSmsUrl() });
  });

  test('a number that was added before its provider is configured when the provider is set', async () => {
    workspace = await service.addWorkspace({ from: null, provider: false });
    const numbers = [aNumber(), aNumber(), aNumber(), aNumber(), aNumber()];
    // Another account owns this number. The other numbers are still configured.
    const foreign = numbers[1] ?? '';
    const other = await service.addWorkspace({ from: null });
    await clientOf(service, other, other.sessionToken)('/numbers', { json: { number: foreign } });
    for (const number of numbers) await post({ number });
    expect(await configuredNumbers()).toEqual([]);

    expect((await putProvider(ownProvider())).status).toBe(200);
    const own = numbers.filter((number) => number !== foreign);
    await untilConfigured(own);
    expect(await readSmsUrls()).toEqual(
      Object.fromEntries(own.map((number) => [number, ownSmsUrl()])),
    );
  });

  test('a PUT of the provider does not wait for the configuration of numbers', async () => {
    workspace = await service.addWorkspace({ provider: false });
    let requests = 0;
    const silent = createServer(() => (requests += 1));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const api = await startApi({
      DATABASE_URL: service.database.url,
      TWILIO_API_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      PROVIDER_TIMEOUT_MS: '60000',
      LEASE_MS: '120000',
    });
    const path = `/api/ui/workspaces/${workspace.workspaceId}/provider`;
    const token = workspace.sessionToken;
    const put = await ask(api.url, path, { method: 'PUT', token, json: ownProvider() });
    expect(put.status).toBe(200);
    await vi.waitFor(() => expect(requests).toBe(1), EVENTUALLY);
    silent.closeAllConnections();
    silent.close();
    await api.stop();
  });

  test('numbers are configured when refused credentials are verified again', async () => {
    const first = await service.addWorkspace({ from: null });
    workspace = first;
    await post({ number: aNumber() });
    workspace = await service.addWorkspace({ from: null, accountSid: first.accountSid });
    const number = aNumber();
    await post({ number });
    expect(await configuredNumbers()).toEqual([]);
    // The credentials become valid, as if the owner changed the token at the provider.
    const store = createProviderStore(database);
    const stored = await store.find(workspace.workspaceId);
    const box = createSecretBox(TEST_SECRET_KEY);
    const of = { workspaceId: workspace.workspaceId, field: 'auth_token' };
    await store.put({
      ...(stored ?? expect.fail('the workspace must have a provider')),
      sealedSecret: box.seal(first.authToken, of),
      at: new Date(),
    });
    expect(await configuredNumbers()).toEqual([]);
    expect((await owner('/provider/verify', { method: 'POST' })).json).toMatchObject({ ok: true });
    await untilConfigured([number]);
  });

  test('numbers are no longer marked as configured after a change or removal of the provider account', async () => {
    const number = aNumber();
    await post({ number });
    expect(await configuredNumbers()).toEqual([number]);
    // The numbers of the same account are already configured.
    await putProvider(ownProvider());
    expect(await configuredNumbers()).toEqual([number]);

    // The simulator assigns a number to the first account that lists it, so the new account does
    // not own it.
    const other = await service.addWorkspace({ from: null });
    await putProvider({
      type: 'twilio',
      account_sid: other.accountSid,
      auth_token: other.authToken,
    });
    expect(await configuredNumbers()).toEqual([]);
    await putProvider(ownProvider());
    await untilConfigured([number]);
    await owner('/provider', { method: 'DELETE' });
    expect(await configuredNumbers()).toEqual([]);
  });

  test('a number whose SmsUrl configures no retries is marked as not configured, and a verification configures it again', async () => {
    const number = aNumber();
    await post({ number });
    const [bare = ''] = ownSmsUrl().split('#');
    await service.sql(`UPDATE phone_numbers SET inbound_url = '${bare}'`);
    expect(await configuredNumbers()).toEqual([]);
    await owner('/provider/verify', { method: 'POST' });
    await untilConfigured([number]);
    expect(await readSmsUrls()).toEqual({ [number]: ownSmsUrl() });
  });

  test.each([
    ['for which the provider has another URL', 'https://old.example/inbound'],
    ['whose messages go elsewhere according to the worker', ''],
  ])(
    'a number %s is marked as not configured, and a verification configures it again',
    async (_which, url) => {
      const number = aNumber();
      await post({ number });
      await service.sql(`UPDATE phone_numbers SET inbound_url = '${url}'`);
      expect(await configuredNumbers()).toEqual([]);
      await owner('/provider/verify', { method: 'POST' });
      await untilConfigured([number]);
    },
  );

  test('a number is added but not configured if there is no provider or the provider refuses', async () => {
    workspace = await service.addWorkspace({ from: null, provider: false });
    expect((await post({ number: aNumber() })).json).toMatchObject({ inbound_wired: false });
    expect(await list()).toMatchObject([{ inbound_wired: false }]);

    const taken = await service.addWorkspace({ from: null });
    workspace = taken;
    await post({ number: aNumber() });
    // The same account with a wrong token.
    workspace = await service.addWorkspace({ from: null, accountSid: taken.accountSid });
    expect((await post({ number: aNumber() })).json).toMatchObject({ inbound_wired: false });

    await service.sql(`UPDATE provider_accounts SET sealed_secret = 'broken'`);
    expect((await post({ number: aNumber() })).json).toMatchObject({ inbound_wired: false });
    const listed = await clientOf(service, workspace, workspace.sessionToken)('/numbers');
    expect(dataOf(listed)).toHaveLength(2);
  });
});
