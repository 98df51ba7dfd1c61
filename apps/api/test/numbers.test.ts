import { type PhoneNumber, phoneNumber, phoneNumberList } from '@switchboard/contracts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Database, createDatabase, createProviderStore } from '@switchboard/database';
import { createSecretBox } from '@switchboard/runtime';
import {
  type ChildProcess,
  TEST_SECRET_KEY,
  type WorkspaceFixture,
  startApi,
  startSimulator,
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
  const onError = () => undefined;
  database = createDatabase({ url, poolSize: 2, applicationName: 'test', onError });
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

/** Programs and people find the same numbers, each by their own way. */
const WAYS: [string, () => WorkspaceClient][] = [
  [
    'an API key',
    () => (path, options?: AskOptions) =>
      ask(service.url, `/api${path}`, { token: workspace.apiKey, ...options }),
  ],
  ['a session', () => clientOf(service, workspace, workspace.sessionToken)],
];

describe.each(WAYS)('with %s', (_name, way) => {
  let client: WorkspaceClient;
  beforeEach(() => {
    client = way();
  });

  const add = async (json: object) => {
    const answer = await client('/numbers', { json });
    expect(answer.status).toBe(201);
    return phoneNumber.strict().parse(answer.json);
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

  test('there is one default while there are numbers', async () => {
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

  test('a number is there once in a workspace', async () => {
    const number = aNumber();
    await add({ number });
    expectRefusal(await client('/numbers', { json: { number } }), 400, 'already_exists');
  });

  test('many added at once leave one default and no number twice', async () => {
    const numbers = [aNumber(), aNumber()];
    const answers = await Promise.all(
      [...numbers, ...numbers].map((number) =>
        client('/numbers', { json: { number, is_default: true } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 400, 400,
    ]);
    expect(await defaults()).toHaveLength(1);
  });
});

describe('what a number receives', () => {
  const owner = (path: string, options?: AskOptions) =>
    clientOf(service, workspace, workspace.sessionToken)(path, options);
  const post = (json: object) => owner('/numbers', { json });
  const list = async () => dataOf(await owner('/numbers')) as PhoneNumber[];
  const wired = async () =>
    (await list()).filter((each) => each.inbound_wired).map((each) => each.number);
  const untilWired = (numbers: string[]) =>
    vi.waitFor(async () => expect(await wired()).toEqual(numbers), { timeout: 10_000 });
  const ownProvider = () => ({
    type: 'twilio',
    account_sid: workspace.accountSid,
    auth_token: workspace.authToken,
  });
  const putProvider = (json: object) => owner('/provider', { method: 'PUT', json });

  /** Where the simulator sends what each number of the workspace's account receives. */
  async function addressesAtProvider(): Promise<Record<string, string>> {
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
  const address = () =>
    `${service.url}/api/webhooks/twilio/${workspace.workspaceId}/inbound#rc=5&rp=all`;

  test('comes to this workspace’s address from then on, where the account owns it', async () => {
    const number = aNumber();
    expect((await post({ number })).json).toMatchObject({ inbound_wired: true });
    expect(await addressesAtProvider()).toEqual({ [number]: address() });
  });

  test('comes as well when the number was there before its provider', async () => {
    workspace = await service.addWorkspace({ from: null, provider: false });
    const numbers = [aNumber(), aNumber(), aNumber(), aNumber(), aNumber()];
    // Another account has it: the others are wired all the same.
    const foreign = numbers[1] ?? '';
    const other = await service.addWorkspace({ from: null });
    await clientOf(service, other, other.sessionToken)('/numbers', { json: { number: foreign } });
    for (const number of numbers) await post({ number });
    expect(await wired()).toEqual([]);

    expect((await putProvider(ownProvider())).status).toBe(200);
    const own = numbers.filter((number) => number !== foreign);
    await untilWired(own);
    expect(await addressesAtProvider()).toEqual(
      Object.fromEntries(own.map((number) => [number, address()])),
    );
  });

  test('is wired behind the answer of a PUT, which does not wait for the provider', async () => {
    workspace = await service.addWorkspace({ provider: false });
    let asked = 0;
    const silent = createServer(() => (asked += 1));
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
    await vi.waitFor(() => expect(asked).toBe(1), { timeout: 10_000 });
    silent.closeAllConnections();
    silent.close();
    await api.stop();
  });

  test('comes after credentials that were wrong are verified as right', async () => {
    const first = await service.addWorkspace({ from: null });
    workspace = first;
    await post({ number: aNumber() });
    workspace = await service.addWorkspace({ from: null, accountSid: first.accountSid });
    const number = aNumber();
    await post({ number });
    expect(await wired()).toEqual([]);
    // Now they are: as when the owner sets the same token at the provider.
    const store = createProviderStore(database);
    const stored = await store.find(workspace.workspaceId);
    const box = createSecretBox(TEST_SECRET_KEY);
    const of = { workspaceId: workspace.workspaceId, field: 'auth_token' };
    await store.put({
      ...(stored ?? expect.fail('it has a provider')),
      authTokenEncrypted: box.seal(first.authToken, of),
      at: new Date(),
    });
    expect(await wired()).toEqual([]);
    expect((await owner('/provider/verify', { method: 'POST' })).json).toMatchObject({ ok: true });
    await untilWired([number]);
  });

  test('is no longer said to come once another account, or none, is the workspace’s', async () => {
    const number = aNumber();
    await post({ number });
    expect(await wired()).toEqual([number]);
    // The same account was told already.
    await putProvider(ownProvider());
    expect(await wired()).toEqual([number]);

    // The simulator gives a number to the account that asks first: the new one does not own it.
    const other = await service.addWorkspace({ from: null });
    await putProvider({
      type: 'twilio',
      account_sid: other.accountSid,
      auth_token: other.authToken,
    });
    expect(await wired()).toEqual([]);
    await putProvider(ownProvider());
    await untilWired([number]);
    await owner('/provider', { method: 'DELETE' });
    expect(await wired()).toEqual([]);
  });

  test('is not said to come here while its URL at the provider asks for no retries; a verification configures it anew', async () => {
    const number = aNumber();
    await post({ number });
    // As an earlier release has set it.
    const [bare = ''] = address().split('#');
    await service.sql(`UPDATE phone_numbers SET inbound_url = $2 WHERE number = $1`, [
      number,
      bare,
    ]);
    expect(await wired()).toEqual([]);
    await owner('/provider/verify', { method: 'POST' });
    await untilWired([number]);
    expect(await addressesAtProvider()).toEqual({ [number]: address() });
  });

  test('is not said to come here where it was wired to another address; a verification rewires it', async () => {
    const number = aNumber();
    await post({ number });
    await service.sql(`UPDATE phone_numbers SET inbound_url = $2 WHERE number = $1`, [
      number,
      `https://old.example/api/webhooks/twilio/${workspace.workspaceId}/inbound`,
    ]);
    expect(await wired()).toEqual([]);
    await owner('/provider/verify', { method: 'POST' });
    await untilWired([number]);
  });

  test('stays away while no provider is configured, or it refuses; the number is there', async () => {
    workspace = await service.addWorkspace({ from: null, provider: false });
    expect((await post({ number: aNumber() })).json).toMatchObject({ inbound_wired: false });
    expect(await list()).toMatchObject([{ inbound_wired: false }]);

    const taken = await service.addWorkspace({ from: null });
    workspace = taken;
    await post({ number: aNumber() });
    // The same account with a token that it does not have.
    workspace = await service.addWorkspace({ from: null, accountSid: taken.accountSid });
    expect((await post({ number: aNumber() })).json).toMatchObject({ inbound_wired: false });

    await service.sql(`UPDATE provider_configurations SET auth_token_encrypted = 'broken'`);
    expect((await post({ number: aNumber() })).json).toMatchObject({ inbound_wired: false });
    const listed = await clientOf(service, workspace, workspace.sessionToken)('/numbers');
    expect(dataOf(listed)).toHaveLength(2);
  });
});
