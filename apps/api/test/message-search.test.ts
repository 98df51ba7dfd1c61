import type { MessageList } from '@switchboard/contracts';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callBack } from './call-back.ts';
import { type Service, ask, expectRefusal, shareService } from './start-service.ts';
import { type WorkspaceClient, clientOf } from './workspace-client.ts';

const ADA = '+14155550123';
const BOB = '+442079460958';

let service: Service;
let workspace: WorkspaceFixture;
let client: WorkspaceClient;
let received = 0;

beforeAll(async () => {
  service = await shareService();
});
afterAll(() => service.close());
beforeEach(async () => {
  workspace = await service.addWorkspace();
  client = clientOf(service, workspace, workspace.sessionToken);
  await receive(ADA, 'Could you look at the rear brake?');
  await receive(BOB, 'Is the brake of the other one fixed?');
  await send(ADA, 'It is ready to collect.');
  await client('/contacts', { json: { number: ADA, name: 'Ada Lovelace', tags: ['workshop'] } });
});

async function receive(From: string, Body: string): Promise<void> {
  received += 1;
  const MessageSid = `SM${String(received).padStart(32, '0')}`;
  const fields = { MessageSid, From, To: workspace.from, Body };
  const response = await callBack(service.url, workspace, fields, { kind: 'inbound' });
  expect(response.status).toBe(200);
}

const send = (to: string, body: string) =>
  ask(service.url, '/api/messages', { token: workspace.apiKey, json: { to, body } });

async function list(query: Record<string, string>): Promise<MessageList> {
  const path = `/api/messages?${new URLSearchParams(query).toString()}`;
  const response = await ask(service.url, path, { token: workspace.apiKey });
  expect(response.status).toBe(200);
  return response.json as unknown as MessageList;
}
const bodiesOf = async (query: Record<string, string>): Promise<string[]> =>
  (await list(query)).messages.map(({ body }) => body.split(' ').slice(0, 3).join(' '));

const [READY, OTHER, REAR] = ['It is ready', 'Is the brake', 'Could you look'];

test.each([
  ['words of a text in any order and case', 'BRAKE rear', [REAR]],
  ['a word of several texts', 'brake', [OTHER, REAR]],
  ['the beginning of a word', 'coll', [READY]],
  ['a name of a contact', 'lovelace', [READY, REAR]],
  ['words of a contact in any order', 'Lovelace ada', [READY, REAR]],
  ['a tag of a contact', 'workshop', [READY, REAR]],
  ['a whole number', '+442079460958', [OTHER]],
  ['a number without its plus sign', '442079460958', [OTHER]],
  ['a number with spaces and brackets', '(415) 555-0123', [READY, REAR]],
  ['a national number', '020 7946 0958', [OTHER]],
  ['the last digits of a number', '0958', [OTHER]],
  ['digits in the middle of a number', '7946', [OTHER]],
  ['words one of which is missing', 'brake xylophone', []],
  ['a wildcard of the database', '%', []],
])('the list of messages finds %s', async (_what, search, expected) => {
  const { pagination } = await list({ search });
  expect(await bodiesOf({ search })).toEqual(expected);
  expect(pagination.totalMessages).toBe(expected.length);
});

test('a search in the list can be combined with the other filters, and has pages and a total', async () => {
  expect(await bodiesOf({ search: 'ada', direction: 'inbound' })).toEqual([REAR]);
  expect(await bodiesOf({ search: 'brake', from: BOB })).toEqual([OTHER]);
  expect(await bodiesOf({ search: 'brake', status: 'queued,failed' })).toEqual([]);
  expect(await bodiesOf({ search: 'brake', endDate: '2020-01-01' })).toEqual([]);
  expect(await bodiesOf({ search: 'brake', startDate: '2020-01-01' })).toEqual([OTHER, REAR]);
  const second = await list({ search: 'brake', limit: '1', page: '2' });
  expect(second.messages.map(({ from }) => from)).toEqual([ADA]);
  expect(second.pagination).toEqual({
    currentPage: 2,
    totalPages: 2,
    totalMessages: 2,
    hasNext: false,
  });
  expect((await list({ search: 'brake', page: '9' })).messages).toEqual([]);
  expect((await list({ search: '' })).pagination.totalMessages).toBe(3);
});

test('a search finds nothing from another workspace, and a search without words or digits is refused', async () => {
  const other = await service.addWorkspace();
  const asOther = clientOf(service, other, other.sessionToken);
  for (const search of ['brake', 'ada', '0123']) {
    expect((await asOther(`/messages?search=${search}`)).json).toMatchObject({ messages: [] });
  }
  expectRefusal(await client('/messages?search=%20'), 400, 'invalid_params', /`search`/);
});

test('an export contains the messages that a search in the list finds', async () => {
  const exported = await client('/messages/export.csv?search=brake&direction=inbound');
  expect(exported.status).toBe(200);
  const lines = exported.text.trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain('Is the brake of the other one fixed?');
  expect(lines[2]).toContain('Could you look at the rear brake?');
});
