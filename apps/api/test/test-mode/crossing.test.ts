import { type Endpoint, listEndpoints, listPathParameters } from '@switchboard/contracts';
import { testWorkspaceOf } from '@switchboard/core';
import { MAGIC_SENDER } from '@switchboard/providers/magic-numbers';
import { type WorkspaceFixture, startApi } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, ask, expectRefusal, startService } from '../start-service.ts';
import { addPerson, clientOf, dataOf } from '../workspace-client.ts';
import { type TestKey, addTestKey } from './environment.ts';

const MARKS = { live: 'livemarker', test: 'testmarker' };
type Mode = keyof typeof MARKS;

/** What both modes share: the people, their invitations and the keys. */
const SHARED = new Set(['listMembers', 'listInvites', 'listApiKeys', 'getWorkspace']);

let service: Service;
let workspace: WorkspaceFixture;
let testKey: TestKey;
const messageIds: Record<Mode, string> = { live: '', test: '' };

const keyOf = (mode: Mode) => (mode === 'test' ? testKey.key : workspace.apiKey);
const workspaceOf = (mode: Mode) => (mode === 'test' ? testKey.workspaceId : workspace.workspaceId);

/** The routes that read without naming one record. */
const reads = listEndpoints().filter(
  ({ route, path, credential, name }) =>
    route.method === 'GET' &&
    route.response.status === 200 &&
    (credential === 'api_key' || path.includes('{workspaceId}')) &&
    listPathParameters(path).every((parameter) => parameter === 'workspaceId') &&
    !SHARED.has(name),
);

const readIn = (mode: Mode, { path, credential }: Endpoint, query = '') =>
  ask(service.url, path.replace('{workspaceId}', workspaceOf(mode)) + query, {
    token: credential === 'api_key' ? keyOf(mode) : workspace.sessionToken,
  });

/** The query with which a route finds what was stored for a mode. */
const queryFor = (name: string, mode: Mode): string =>
  name === 'searchMessages' ? `?search=${MARKS[mode]}` : '';

async function addRecords(mode: Mode): Promise<void> {
  const post = async (path: string, json: object) => {
    const url = `/api/ui/workspaces/${workspaceOf(mode)}${path}`;
    const response = await ask(service.url, url, { token: workspace.sessionToken, json });
    expect([path, response.status, response.text]).toEqual([path, 201, expect.any(String)]);
    return response;
  };
  const mark = MARKS[mode];
  const sent = await ask(service.url, '/api/messages', {
    token: keyOf(mode),
    json: { to: '+15551230001', body: mark },
  });
  messageIds[mode] = String(sent.json?.['id']);
  await post('/contacts', { number: '+15551230002', name: mark });
  await post('/saved-replies', { name: mark, body: mark });
  await post('/saved-views', { name: mark, filters: { to: '+15551230001' } });
  await post('/webhook-endpoints', { url: 'https://example.com/hooks', description: mark });
  await post('/numbers', {
    number: mode === 'test' ? '+15557770001' : '+15557770002',
    label: mark,
  });
}

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_MESSAGING: '100000' } });
  workspace = await service.addWorkspace({ from: MAGIC_SENDER });
  testKey = await addTestKey(service, workspace);
  await addRecords('live');
  await addRecords('test');
});
afterAll(() => service.close());

test.each(reads.map((endpoint) => [endpoint.key, endpoint] as const))(
  'in each mode, %s returns nothing of the other mode',
  async (_key, endpoint) => {
    for (const [mode, other] of [
      ['live', 'test'],
      ['test', 'live'],
    ] as const) {
      const response = await readIn(mode, endpoint, queryFor(endpoint.name, mode));
      expect([mode, response.status]).toEqual([mode, expect.toBeOneOf([200, 400, 403])]);
      expect(response.text).not.toContain(MARKS[other]);
      expect(response.text).not.toContain(messageIds[other]);
    }
  },
);

test('the records that the reads of a mode must not return are in the other mode', async () => {
  for (const mode of ['live', 'test'] as const) {
    const texts = await Promise.all(
      reads.map(async (endpoint) => {
        const response = await readIn(mode, endpoint, queryFor(endpoint.name, mode));
        return response.text.includes(MARKS[mode]) ? [endpoint.name] : [];
      }),
    );
    const found = new Set(texts.flat());
    for (const name of [
      'listMessages',
      'searchMessages',
      'exportMessages',
      'listConversations',
      'listContacts',
      'listSavedReplies',
      'listSavedViews',
      'listWebhookEndpoints',
      'listNumbers',
    ]) {
      expect([mode, name, found.has(name)]).toEqual([mode, name, true]);
    }
  }
});

test('a message is found by its id in its own mode only', async () => {
  for (const [mode, other] of [
    ['live', 'test'],
    ['test', 'live'],
  ] as const) {
    const path = (id: string) => `/api/messages/${id}`;
    const own = await ask(service.url, path(messageIds[mode]), { token: keyOf(mode) });
    expect([own.status, own.json?.['mode']]).toEqual([200, mode]);
    const crossed = await ask(service.url, path(messageIds[other]), { token: keyOf(mode) });
    expectRefusal(crossed, 404, 'not_found', /[Tt]est mode/);
  }
});

test('the parameter mode shows test messages to a live key with their own total, and no live message to a test key', async () => {
  const list = (token: string, query = '') => ask(service.url, `/api/messages${query}`, { token });
  const total = async (token: string, query?: string) =>
    (await list(token, query)).json?.['pagination'];
  expect(await total(workspace.apiKey)).toMatchObject({ totalMessages: 1 });
  expect(await total(workspace.apiKey, '?mode=test')).toMatchObject({ totalMessages: 1 });
  const shown = await list(workspace.apiKey, '?mode=test');
  expect(shown.text).toContain(MARKS.test);
  expect(shown.text).not.toContain(MARKS.live);
  expectRefusal(await list(testKey.key, '?mode=live'), 400, 'invalid_params', /`mode`/);
  const exported = await ask(service.url, '/api/messages/export.csv?mode=test', {
    token: workspace.apiKey,
  });
  expect(exported.text).toContain(MARKS.test);
  expect(exported.text).not.toContain(MARKS.live);
});

test('statistics count the messages of their own mode', async () => {
  for (const mode of ['live', 'test'] as const) {
    const path = `/api/ui/workspaces/${workspaceOf(mode)}/stats?interval=hour`;
    const { status, text } = await ask(service.url, path, { token: workspace.sessionToken });
    expect(status).toBe(200);
    const counted = [...text.matchAll(/"count":(\d+)/g)].map(([, n]) => Number(n));
    expect([mode, counted]).toEqual([mode, [1]]);
  }
});

test('test messages beyond the limit of a day are refused, and live ones are not', async () => {
  const limited = await startApi({
    DATABASE_URL: service.database.url,
    TEST_MESSAGES_PER_DAY: '2',
  });
  try {
    const other = await service.addWorkspace();
    const { key } = await addTestKey(limited, other);
    const json = { to: '+15551230001', body: 'x' };
    const send = (token: string) => ask(limited.url, '/api/messages', { token, json });
    expect([(await send(key)).status, (await send(key)).status]).toEqual([201, 201]);
    expectRefusal(await send(key), 429, 'rate_limited', /test mode/);
    const inbound = { to: MAGIC_SENDER, from: '+15551230001', body: 'x' };
    const received = await ask(limited.url, '/api/test/inbound', { token: key, json: inbound });
    expectRefusal(received, 429, 'rate_limited', /test mode/);
    for (const _ of [1, 2, 3]) expect((await send(other.apiKey)).status).toBe(201);
  } finally {
    await limited.stop();
  }
});

test('only the members of a workspace may use its test workspace, until they are removed', async () => {
  const stranger = await service.addWorkspace();
  const path = `/api/ui/workspaces/${testKey.workspaceId}/messages`;
  expectRefusal(await ask(service.url, path, { token: stranger.sessionToken }), 403, 'forbidden');
  await service.sql(
    `INSERT INTO members (workspace_id, user_id, role, created_at) VALUES ($1, $2, 'viewer', now())`,
    [workspace.workspaceId, stranger.userId],
  );
  expect((await ask(service.url, path, { token: stranger.sessionToken })).status).toBe(200);
  const json = { to: '+15551230001', body: 'x' };
  expectRefusal(
    await ask(service.url, path, { token: stranger.sessionToken, json }),
    403,
    'forbidden',
  );
  const members = await ask(
    service.url,
    `/api/ui/workspaces/${testKey.workspaceId}/members/${stranger.userId}`,
    { token: workspace.sessionToken, method: 'DELETE' },
  );
  expect(members.status).toBe(200);
  expectRefusal(await ask(service.url, path, { token: stranger.sessionToken }), 403, 'forbidden');
});

test('a session opens the test workspace, which is created once and says which workspace it belongs to', async () => {
  const other = await service.addWorkspace();
  const path = `/api/ui/workspaces/${other.workspaceId}/test-workspace`;
  const opened = await Promise.all(
    [1, 2, 3].map(() => ask(service.url, path, { token: other.sessionToken, method: 'POST' })),
  );
  expect(new Set(opened.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(opened[0]?.json).toMatchObject({
    mode: 'test',
    live_workspace_id: other.workspaceId,
    default_number: MAGIC_SENDER,
    provider_configured: true,
  });
});

test('keys of both modes are listed with their mode, and a test key is rotated and revoked in the path of the live workspace', async () => {
  const path = `/api/ui/workspaces/${workspace.workspaceId}/api-keys`;
  const session = { token: workspace.sessionToken };
  const listed = (await ask(service.url, path, session)).json?.['data'] as {
    id: string;
    mode: Mode;
    prefix: string;
  }[];
  expect(listed.map(({ mode }) => mode).toSorted()).toEqual(['live', 'test']);
  const { id, prefix } = listed.find(({ mode }) => mode === 'test') ?? { id: '', prefix: '' };
  expect(prefix).toMatch(/^swb_test_000.{4}$/);
  const rotated = await ask(service.url, `${path}/${id}/rotate`, { ...session, json: {} });
  expect(rotated.json?.['key']).toMatch(/^swb_test_/);
  const token = String(rotated.json?.['key']);
  expect((await ask(service.url, '/api/workspace', { token })).json?.['mode']).toBe('test');
  const revoked = await ask(service.url, `${path}/${id}`, { ...session, method: 'DELETE' });
  expect(revoked.status).toBe(200);
  expectRefusal(await ask(service.url, '/api/workspace', { token }), 401, 'unauthorized');
});

test('the audit trail of the workspace has every change of its test keys', async () => {
  const other = await service.addWorkspace();
  const client = clientOf(service, other, other.sessionToken);
  const created = await client('/api-keys', { json: { name: 'CI', mode: 'test' } });
  const id = String(created.json?.['id']);
  expect((await client(`/api-keys/${id}/rotate`, { json: {} })).status).toBe(200);
  expect((await client(`/api-keys/${id}`, { method: 'DELETE' })).status).toBe(200);
  const entries = dataOf(await client('/audit')).filter(({ target }) => target === id);
  const detail = expect.objectContaining({ name: 'CI', mode: 'test' }) as unknown;
  expect(entries.map((entry) => [entry['action'], entry['detail']])).toEqual([
    ['api_key.revoked', detail],
    ['api_key.rotated', detail],
    ['api_key.created', detail],
  ]);
});

test('a member who is removed is assigned to no conversation of either mode', async () => {
  const other = await service.addWorkspace();
  const test_ = await addTestKey(service, other);
  const person = await addPerson(service, other, 'member');
  await service.sql(
    `INSERT INTO conversations (workspace_id, number, assignee_id, updated_at)
     SELECT unnest($1::uuid[]), '+15551230040', $2, now()`,
    [[other.workspaceId, test_.workspaceId], person.userId],
  );
  const assignees = () =>
    service.sql<{ assignee_id: string | null }>(
      'SELECT assignee_id FROM conversations WHERE workspace_id = ANY($1)',
      [[other.workspaceId, test_.workspaceId]],
    );
  const assignee_id = person.userId;
  expect(await assignees()).toEqual([{ assignee_id }, { assignee_id }]);
  const owner = clientOf(service, other, other.sessionToken);
  expect((await owner(`/members/${person.userId}`, { method: 'DELETE' })).status).toBe(200);
  expect(await assignees()).toEqual([{ assignee_id: null }, { assignee_id: null }]);
});

test('a viewer opens test mode once a member has opened it, and does not create it', async () => {
  const other = await service.addWorkspace();
  const viewer = await addPerson(service, other, 'viewer');
  const open = { method: 'POST' };
  const refused = await viewer.client('/test-workspace', open);
  expectRefusal(refused, 403, 'forbidden', /has no test mode yet.*opens it first/);
  const count = 'SELECT 1 FROM workspaces WHERE id = $1';
  expect(await service.sql(count, [testWorkspaceOf(other.workspaceId)])).toEqual([]);
  const member = await addPerson(service, other, 'member');
  const opened = await member.client('/test-workspace', open);
  expect(opened.status).toBe(200);
  const read = await viewer.client('/test-workspace', open);
  expect([read.status, read.json]).toEqual([200, opened.json]);
});
