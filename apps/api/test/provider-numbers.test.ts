import { generateKeyPairSync } from 'node:crypto';
import {
  type ChildProcess,
  type WorkspaceFixture,
  startApi,
  startSimulator,
} from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Service, ask, expectRefusal, startService } from './start-service.ts';
import { type WorkspaceClient, addPerson, clientOf, dataOf } from './workspace-client.ts';

let simulator: ChildProcess;
let service: Service;
let workspace: WorkspaceFixture;
let owner: WorkspaceClient;
let providerId: string;

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
  owner = clientOf(service, workspace, workspace.sessionToken);
  const [account] = dataOf(await owner('/providers')) as { id: string }[];
  providerId = account?.id ?? '';
});

let given = 0;
const aNumber = () => `+1555${String(3_000_000 + (given += 1))}`;

/** Makes the workspace's account own a number that sends its messages to a URL. */
async function own(number: string, smsUrl = ''): Promise<void> {
  const { accountSid, authToken } = workspace;
  const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const path = `${simulator.url}/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers`;
  const headers = { authorization: `Basic ${basic}`, connection: 'close' };
  const listed = await fetch(`${path}.json?PhoneNumber=${encodeURIComponent(number)}`, { headers });
  const { incoming_phone_numbers: found } = (await listed.json()) as {
    incoming_phone_numbers: { sid: string }[];
  };
  const body = new URLSearchParams({ SmsUrl: smsUrl });
  const set = await fetch(`${path}/${found[0]?.sid}.json`, { method: 'POST', headers, body });
  expect(set.status).toBe(200);
}

const listAtProvider = (query = '') => owner(`/providers/${providerId}/numbers${query}`);
const stateOf = async (number: string) =>
  (dataOf(await listAtProvider()) as { number: string }[]).find((each) => each.number === number);

test('the list of a provider account’s numbers shows which of them the workspace has and where their messages go', async () => {
  const [first, second] = [aNumber(), aNumber()];
  await own(first, 'https://user:word@other.example/hook?token=secret');
  await own(second);
  const listed = await listAtProvider();
  expect(listed.json).toMatchObject({
    data: [
      { number: first, number_id: null, inbound: 'elsewhere', inbound_host: 'other.example' },
      { number: second, number_id: null, inbound: 'nowhere', inbound_host: null },
    ],
    pagination: { totalItems: 2, hasNext: false },
    is_complete: true,
  });
  expect(listed.text).not.toMatch(/secret|word/);

  const json = { number: second, provider_id: providerId, capabilities: ['sms'] };
  const added = await owner('/numbers', { json });
  expect(added.json).toMatchObject({ capabilities: ['sms'], inbound_wired: true });
  expect(await stateOf(second)).toMatchObject({ number_id: added.json?.['id'], inbound: 'here' });
});

test('the list of a provider’s numbers has pages', async () => {
  const numbers = [aNumber(), aNumber(), aNumber()];
  for (const number of numbers) await own(number);
  const page = await listAtProvider('?limit=2&page=2');
  expect(page.json).toMatchObject({
    data: [{ number: numbers[2] }],
    pagination: { currentPage: 2, totalPages: 2, totalItems: 3, hasNext: false },
  });
});

test('inbound messages that the provider sends elsewhere are delivered here again after a repair of the number', async () => {
  const number = aNumber();
  const added = await owner('/numbers', { json: { number } });
  const path = `/numbers/${String(added.json?.['id'])}/configure-inbound`;
  await own(number, 'https://other.example/hook');
  expect(await stateOf(number)).toMatchObject({ inbound: 'elsewhere' });
  const { client: member } = await addPerson(service, workspace, 'member');
  expect((await member(path, { method: 'POST' })).json).toEqual({
    ok: true,
    detail: 'Messages to this number arrive here.',
  });
  expect(await stateOf(number)).toMatchObject({ inbound: 'here' });
});

test('a failed repair of inbound messages says why the provider does not deliver them here', async () => {
  const other = await service.addWorkspace({ from: null });
  const number = aNumber();
  await clientOf(service, other, other.sessionToken)('/numbers', { json: { number } });
  const added = await owner('/numbers', { json: { number } });
  const repair = (id: unknown) =>
    owner(`/numbers/${String(id)}/configure-inbound`, { method: 'POST' });
  expect((await repair(added.json?.['id'])).json).toEqual({
    ok: false,
    detail: 'The provider account does not own this number.',
  });

  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const private_key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const application_id = '7b2e6c1a-52ad-4b8e-9d3f-0a1c5e7f9b24';
  const credentials = { application_id, private_key, signature_secret: 'secret-of-signature' };
  const vonage = await owner('/providers', { json: { type: 'vonage', credentials } });
  const vonageId = String(vonage.json?.['id']);
  const inbound = `${service.url}/api/webhooks/vonage/${vonageId}/inbound`;
  expect(vonage.json).toMatchObject({
    webhook_urls: { inbound, status: inbound.replace('inbound', 'status') },
  });
  const json = { number: aNumber(), provider_id: vonageId };
  const atVonage = await owner('/numbers', { json });
  expect((await repair(atVonage.json?.['id'])).json).toEqual({
    ok: false,
    detail: expect.stringContaining(`console. Enter this URL for inbound messages: ${inbound}`),
  });
  const listOf = (id: unknown) => owner(`/providers/${String(id)}/numbers`);
  expectRefusal(await listOf(vonageId), 400, 'invalid_state', /API key and the API secret/);
  const sandbox = await owner('/providers', { json: { type: 'sandbox', credentials: {} } });
  expectRefusal(await listOf(sandbox.json?.['id']), 400, 'invalid_state', /cannot list/);
});

test('if the provider refuses to list its numbers or does not respond, the request fails with the reason', async () => {
  const credentials = { account_sid: workspace.accountSid, auth_token: 'another-token' };
  await own(aNumber());
  await owner(`/providers/${providerId}`, { method: 'PATCH', json: { credentials } });
  expectRefusal(await listAtProvider(), 400, 'invalid_state', /Twilio refused to list the numbers/);
  const unreachable = await startApi({
    DATABASE_URL: service.database.url,
    TWILIO_API_URL: 'http://127.0.0.1:9',
  });
  onTestFinished(() => unreachable.stop());
  const path = `/api/ui/workspaces/${workspace.workspaceId}/providers/${providerId}/numbers`;
  const token = workspace.sessionToken;
  const unanswered = await ask(unreachable.url, path, { token });
  expectRefusal(unanswered, 400, 'invalid_state', /Twilio is unavailable/);
});
