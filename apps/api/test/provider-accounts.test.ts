import { randomBytes } from 'node:crypto';
import { type ChildProcess, type WorkspaceFixture, startSimulator } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callBack } from './call-back.ts';
import { type Service, expectRefusal, startService } from './start-service.ts';
import { type WorkspaceClient, addPerson, clientOf } from './workspace-client.ts';

let simulator: ChildProcess;
let service: Service;
let workspace: WorkspaceFixture;
let owner: WorkspaceClient;

beforeAll(async () => {
  simulator = await startSimulator();
  service = await startService({ env: { TWILIO_API_URL: simulator.url } });
});
afterAll(async () => {
  await service.close();
  await simulator.stop();
});
beforeEach(async () => {
  workspace = await service.addWorkspace();
  owner = clientOf(service, workspace, workspace.sessionToken);
});

interface Account {
  id: string;
  country: string | null;
  type: string;
  is_default: boolean;
  credentials: Record<string, string>;
  status: string;
}

const hex = () => randomBytes(16).toString('hex');
const newTwilio = () => ({ account_sid: `AC${hex()}`, auth_token: hex() });
const patch = (path: string, json: object) => owner(path, { method: 'PATCH', json });
const remove = (path: string) => owner(path, { method: 'DELETE' });
const list = async () => (await owner('/providers')).json?.['data'] as Account[];

async function add(type: string, credentials: object): Promise<string> {
  const added = await owner('/providers', { json: { type, credentials } });
  expect(added.status, added.text).toBe(201);
  return String(added.json?.['id']);
}

test('an account keeps its country when it becomes the default and when it no longer is', async () => {
  const json = { type: 'sandbox', credentials: {}, country: 'CH' };
  const added = await owner('/providers', { json });
  expect([added.status, added.json?.['country']]).toEqual([201, 'CH']);
  const id = String(added.json?.['id']);
  const first = (await list()).find((account) => account.is_default)?.id ?? '';
  expect((await owner(`/providers/${first}`)).json?.['country']).toBeNull();
  expect((await patch(`/providers/${first}`, { country: 'US' })).json?.['country']).toBe('US');
  await patch(`/providers/${id}`, { is_default: true });
  const countries = async () =>
    (await list()).map((account) => [account.id === id, account.country]);
  expect(await countries()).toEqual([
    [false, 'US'],
    [true, 'CH'],
  ]);
  expect((await patch(`/providers/${id}`, { country: null })).json?.['country']).toBeNull();
});

test('an owner adds accounts and reads them without their secrets, and /provider is the default account', async () => {
  const credentials = newTwilio();
  const id = await add('twilio', credentials);
  const sandbox = await add('sandbox', {});
  const all = await list();
  expect(all.map((account) => [account.type, account.is_default])).toEqual([
    ['twilio', true],
    ['twilio', false],
    ['sandbox', false],
  ]);
  expect(JSON.stringify(all)).not.toContain(credentials.auth_token);
  expect((await owner(`/providers/${id}`)).json).toMatchObject({
    type: 'twilio',
    credentials: {
      account_sid: credentials.account_sid,
      auth_token_last4: credentials.auth_token.slice(-4),
    },
    evidence: { idempotency_key: false, reference_in_callback: true, look_up: 'by_content' },
    status: 'ok',
  });
  expect((await owner('/provider')).json).toMatchObject({ account_sid: workspace.accountSid });

  await patch(`/providers/${id}`, { is_default: true, name: 'Main' });
  expect((await owner('/provider')).json).toMatchObject({ account_sid: credentials.account_sid });
  expect((await list()).filter((account) => account.is_default)).toMatchObject([
    { id, name: 'Main' },
  ]);
  await patch(`/providers/${sandbox}`, { enabled: false });
  expect((await owner(`/providers/${sandbox}`)).json).toMatchObject({ status: 'disabled' });
});

test('a member can read the accounts but cannot change them', async () => {
  const { client } = await addPerson(service, workspace, 'member');
  expect((await client('/providers')).status).toBe(200);
  const json = { type: 'sandbox', credentials: {} };
  expectRefusal(await client('/providers', { json }), 403, 'forbidden');
  expectRefusal(
    await client('/routing', { method: 'PUT', json: { rules: [], failover: true } }),
    403,
    'forbidden',
  );
});

test('wrong credentials are refused, and the error names the field', async () => {
  const post = (credentials: object) =>
    owner('/providers', { json: { type: 'twilio', credentials } });
  const { account_sid, auth_token } = newTwilio();
  expectRefusal(
    await post({ account_sid }),
    400,
    'missing_params',
    'Missing required parameter: `credentials.auth_token`',
  );
  expectRefusal(
    await post({ account_sid: 'AC1', auth_token }),
    400,
    'invalid_params',
    '`credentials.account_sid` must be AC and 32 hexadecimal digits',
  );
});

test('an SMPP account has typed settings with defaults, and fails messages with an unknown outcome by default', async () => {
  const credentials = {
    host: 'smpp.example.com',
    port: 2775,
    tls: true,
    system_id: 'switchboard',
    password: 'a long enough secret',
    window: 50,
  };
  const id = await add('smpp', credentials);
  expect((await owner(`/providers/${id}`)).json).toMatchObject({
    on_unknown: 'fail',
    evidence: { idempotency_key: false, reference_in_callback: false, look_up: 'none' },
    credentials: {
      host: 'smpp.example.com',
      port: 2775,
      tls: true,
      password_last4: 'cret',
      bind: 'transceiver',
      window: 50,
      max_binds: 1,
      source_ton: null,
    },
  });
  for (const [name, value, expected] of [
    ['port', '2775', 'must be an integer from 1 to 65535'],
    ['tls', undefined, undefined],
    ['window', 0, 'must be an integer from 1 to 500'],
    ['bind', 'receiver', 'must be one of transceiver, transmitter_receiver'],
    ['password', 'ä', 'must have 1 to 32 printable ASCII characters'],
  ] as const) {
    const json = { type: 'smpp', credentials: { ...credentials, [name]: value } };
    expectRefusal(
      await owner('/providers', { json }),
      400,
      expected === undefined ? 'missing_params' : 'invalid_params',
      expected === undefined
        ? `Missing required parameter: \`credentials.${name}\``
        : `\`credentials.${name}\` ${expected}`,
    );
  }
});

test('an account that numbers or rules use cannot be removed while other accounts remain, and its senders keep the account when the default changes', async () => {
  const sandbox = await add('sandbox', {});
  const before = (await owner('/numbers')).json?.['data'] as Record<string, string>[];
  const [first] = before;
  const own = (await list()).find((account) => account.is_default)?.id ?? '';
  expect(first).toMatchObject({ provider_id: own, kind: 'long_code' });
  expectRefusal(await remove(`/providers/${own}`), 400, 'invalid_state');

  const name = await owner('/numbers', { json: { number: 'MyShop', provider_id: sandbox } });
  expect(name.json).toMatchObject({ kind: 'alphanumeric', provider_id: sandbox });
  expectRefusal(await remove(`/providers/${sandbox}`), 400, 'invalid_state');
  await patch(`/providers/${sandbox}`, { is_default: true });
  const numbers = (await owner('/numbers')).json?.['data'] as Record<string, string>[];
  expect(numbers.map((number) => number['provider_id'])).toEqual([own, sandbox]);

  await patch(`/numbers/${first?.['id']}`, { provider_id: sandbox });
  expect((await remove(`/providers/${own}`)).status).toBe(200);
  expect(await list()).toMatchObject([{ id: sandbox, is_default: true }]);
});

test('routing accepts only accounts of the workspace, and is returned as it was set', async () => {
  const own = (await list())[0]?.id ?? '';
  expect((await owner('/routing')).json).toEqual({ rules: [], failover: false });
  const json = {
    rules: [{ prefix: '+44', providers: [{ provider_id: own, weight: 1 }] }],
    failover: true,
  };
  expect((await owner('/routing', { method: 'PUT', json })).json).toEqual(json);
  expect((await owner('/routing')).json).toEqual(json);
  const other = await service.addWorkspace();
  const client = clientOf(service, other, other.sessionToken);
  expectRefusal(await client('/routing', { method: 'PUT', json }), 400, 'invalid_params');
});

test('a message without a sender gets its sender from the routing rules, and any sender of the workspace is accepted', async () => {
  const sandbox = await add('sandbox', {});
  await owner('/numbers', { json: { number: 'MyShop', provider_id: sandbox } });
  const json = { to: '+14155550100', body: 'Hello' };
  const named = await owner('/messages', { json: { ...json, from: 'MyShop' } });
  expect(named.status).toBe(201);
  const rules = [{ prefix: '', providers: [{ provider_id: sandbox, weight: 1 }] }];
  await owner('/routing', { method: 'PUT', json: { rules, failover: false } });
  const open = await owner('/messages', { json });
  expect((await owner(`/messages/${String(open.json?.['id'])}`)).json).toMatchObject({
    from: null,
    provider: null,
  });
});

test('a routing preview lists the routes of a new message to a number, and sends nothing', async () => {
  const own = (await list())[0]?.id ?? '';
  const to = '+442071838750';
  const preview = async () => (await owner('/routing/preview', { json: { to } })).json;
  const default_ = { provider_id: own, from: workspace.from };
  expect(await preview()).toEqual({ prefix: null, routes: [{ ...default_, share: 1 }] });

  const sandbox = await add('sandbox', {});
  await owner('/numbers', { json: { number: 'MyShop', provider_id: sandbox } });
  const providers = [
    { provider_id: sandbox, weight: 3 },
    { provider_id: own, weight: 1 },
  ];
  const rules = [{ prefix: '+44', providers }];
  await owner('/routing', { method: 'PUT', json: { rules, failover: false } });
  const shop = { provider_id: sandbox, from: 'MyShop' };
  expect(await preview()).toEqual({
    prefix: '+44',
    routes: [
      { ...shop, share: 0.75 },
      { ...default_, share: 0.25 },
    ],
  });
  await patch(`/providers/${sandbox}`, { enabled: false });
  expect(await preview()).toEqual({ prefix: '+44', routes: [{ ...default_, share: 0.25 }] });

  // A conversation keeps its number.
  await owner('/messages', { json: { to, body: 'Hello', from: workspace.from } });
  expect(await preview()).toEqual({ prefix: '+44', routes: [{ ...default_, share: 1 }] });
  const { json } = await owner('/messages');
  expect(json?.['messages']).toHaveLength(1);
});

test('each account of a workspace signs its own webhooks, and webhooks with any other signature are refused', async () => {
  const { account_sid: accountSid, auth_token: authToken } = newTwilio();
  await add('twilio', { account_sid: accountSid, auth_token: authToken });
  const { workspaceId } = workspace;
  const second = { workspaceId, accountSid, authToken };
  const inbound = (sid: string) => ({
    MessageSid: sid,
    From: '+14155550100',
    To: '+1',
    Body: 'Hi',
  });
  const receive = (from: typeof second, sid: string, signature?: string) =>
    callBack(service.url, from, inbound(sid), {
      kind: 'inbound',
      ...(signature !== undefined && { signature }),
    });
  expect((await receive(workspace, 'SM1')).status).toBe(200);
  expect((await receive(second, 'SM2')).status).toBe(200);
  const mixed = { workspaceId, accountSid, authToken: workspace.authToken };
  expectRefusal(await receive(mixed, 'SM3'), 403, 'forbidden');
  const { json } = await owner('/messages?direction=inbound');
  const received = json?.['messages'] as { provider_sid: string; provider: { id: string } }[];
  expect(received.map((message) => message.provider_sid).toSorted()).toEqual(['SM1', 'SM2']);
  expect(new Set(received.map(({ provider }) => provider.id)).size).toBe(2);
});
