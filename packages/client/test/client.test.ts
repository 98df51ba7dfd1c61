import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaFile, Message, SendMessageResponse } from '@switchboard/contracts';
import {
  type ChildProcess,
  type TestDatabase,
  type WorkspaceFixture,
  createTestDatabase,
  createWorkspaceFixture,
  startApi,
} from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import {
  type BodyOf,
  type Client,
  type Result,
  type RouteKey,
  createClient,
} from '../src/index.ts';

let database: TestDatabase;
let folder: string;
let api: ChildProcess;
let workspace: WorkspaceFixture;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'switchboard-client-test-'));
  api = await startApi({ DATABASE_URL: database.url, MEDIA_FOLDER: folder });
  workspace = await createWorkspaceFixture(database.url);
  client = createClient({ baseUrl: api.url, token: workspace.apiKey });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const body = { to: '+15557654321', body: 'Hello' };

test('the client sends a message and reads it by its id', async () => {
  const sent = await client('POST /api/messages', { body });
  expectTypeOf(sent).toEqualTypeOf<Result<'POST /api/messages'>>();
  if (!sent.ok) throw new Error(sent.detail);
  expectTypeOf(sent.data).toEqualTypeOf<SendMessageResponse>();
  expect([sent.status, sent.data.status]).toEqual([201, 'queued']);

  const messageId = sent.data.id;
  const read = await client('GET /api/messages/{messageId}', { params: { messageId } });
  if (!read.ok) throw new Error(read.detail);
  expectTypeOf(read.data).toExtend<Message>();
  expect(read.data).toMatchObject({ id: messageId, ...body });
  expect(read.data.events.map(({ type }) => type)).toEqual(['created']);
});

test('the client uploads a file and sends it with a message', async () => {
  const file = new Blob(['BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Anna\r\nEND:VCARD\r\n']);
  const uploaded = await client('POST /api/media', { query: { name: 'anna.vcf' }, body: file });
  if (!uploaded.ok) throw new Error(uploaded.detail);
  expectTypeOf(uploaded.data).toEqualTypeOf<MediaFile>();
  expect(uploaded.data).toMatchObject({ name: 'anna.vcf', content_type: 'text/vcard' });
  const media_urls = [uploaded.data.url];
  const sent = await client('POST /api/messages', { body: { ...body, media_urls } });
  expect(sent.status).toBe(201);
});

test('the client sends headers and query parameters and escapes path parameters', async () => {
  const headers = { 'Idempotency-Key': 'once' };
  const first = await client('POST /api/messages', { body, headers });
  const second = await client('POST /api/messages', { body, headers });
  expect(second).toMatchObject({ ok: true, data: first.ok && first.data });
  expect(second.headers.get('idempotent-replayed')).toBe('true');

  const query = { limit: 1, to: body.to, startDate: new Date(0), status: 'queued' } as const;
  const listed = await client('GET /api/messages', { query });
  expect(listed).toMatchObject({ ok: true, data: { messages: [body] } });

  const session = createClient({ baseUrl: api.url, token: workspace.sessionToken });
  const params = { workspaceId: workspace.workspaceId, number: body.to };
  const optOut = { params, body: { number: body.to } };
  const added = await session('POST /api/ui/workspaces/{workspaceId}/opt-outs', optOut);
  expect(added.status).toBe(201);
  const path = 'DELETE /api/ui/workspaces/{workspaceId}/opt-outs/{number}';
  expect(await session(path, { params })).toMatchObject({ ok: true, data: { ok: true } });
});

test('the client returns an error response as a value and throws when there is no response', async () => {
  const signedOut = createClient({ baseUrl: api.url });
  expect(await signedOut('GET /api/workspace')).toMatchObject({
    ok: false,
    status: 401,
    error: 'unauthorized',
    detail: 'Invalid or missing API key',
  });
  const nowhere = createClient({ baseUrl: 'http://127.0.0.1:1' });
  await expect(nowhere('GET /health/live')).rejects.toThrow();
});

test('the client returns a response that is not JSON unread', async () => {
  const metrics = await client('GET /metrics');
  if (!metrics.ok) throw new Error(metrics.detail);
  expectTypeOf(metrics.data).toEqualTypeOf<Response>();
  expect(await metrics.data.text()).toContain('switchboard_http_request_seconds');
});

describe('the types of the client', () => {
  test('unknown routes, missing or unknown parameters and wrong types do not compile', () => {
    const wrong = () => [
      // @ts-expect-error: no such route
      client('GET /api/mesages'),
      // @ts-expect-error: a WebSocket
      client('GET /api/events'),
      // @ts-expect-error: no body
      client('POST /api/messages'),
      // @ts-expect-error: no recipient
      client('POST /api/messages', { body: { body: 'Hello' } }),
      // @ts-expect-error: no parameter
      client('GET /api/messages/{messageId}', {}),
      // @ts-expect-error: no such direction
      client('GET /api/messages', { query: { direction: 'sideways' } }),
      // @ts-expect-error: takes no query
      client('GET /api/workspace', { query: { page: 1 } }),
    ];
    expect(wrong).toBeTypeOf('function');
    expectTypeOf<BodyOf<'POST /api/messages'>['from']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<BodyOf<'POST /api/messages'>['metadata']>().toEqualTypeOf<
      Record<string, string> | undefined
    >();
    expectTypeOf<'PUT /api/ui/workspaces/{workspaceId}/provider'>().toExtend<RouteKey>();
  });
});
