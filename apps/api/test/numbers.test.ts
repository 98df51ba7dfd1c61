import { addedNumber, phoneNumber, phoneNumberList } from '@switchboard/contracts';
import { type ChildProcess, type WorkspaceFixture, startSimulator } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
let workspace: WorkspaceFixture;

beforeAll(async () => {
  simulator = await startSimulator();
  service = await startService({ env: { TWILIO_API_URL: simulator.url } });
});
afterAll(async () => {
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
    return addedNumber.strict().parse(answer.json);
  };
  const defaults = async () =>
    phoneNumberList
      .strict()
      .parse((await client('/numbers')).json)
      .data.filter(({ is_default }) => is_default)
      .map(({ number }) => number);

  test('a number is added, listed, changed and deleted', async () => {
    const number = aNumber();
    const { inbound_wired, ...added } = await add({ number, label: 'Support' });
    expect(inbound_wired).toBe(true);
    expect(added).toMatchObject({ number, label: 'Support', is_default: true });
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
  const post = (json: object) =>
    clientOf(service, workspace, workspace.sessionToken)('/numbers', { json });

  test('comes to this workspace’s address from then on, where the account owns it', async () => {
    const number = aNumber();
    const { accountSid, authToken, workspaceId } = workspace;
    expect((await post({ number })).json).toMatchObject({ inbound_wired: true });
    const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
    const response = await fetch(
      `${simulator.url}/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers.json`,
      { headers: { authorization: `Basic ${basic}` } },
    );
    const { incoming_phone_numbers: owned } = (await response.json()) as {
      incoming_phone_numbers: { phone_number: string; sms_url: string }[];
    };
    expect(owned).toContainEqual(
      expect.objectContaining({
        phone_number: number,
        sms_url: `${service.url}/api/webhooks/twilio/${workspaceId}/inbound`,
      }),
    );
  });

  test('stays away while no provider is configured, or it refuses; the number is there', async () => {
    workspace = await service.addWorkspace({ from: null, provider: false });
    expect((await post({ number: aNumber() })).json).toMatchObject({ inbound_wired: false });

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
