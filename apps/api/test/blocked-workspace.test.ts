import type { WorkspaceFixture } from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiResponse, type Service, expectRefusal, shareService } from './start-service.ts';
import { type WorkspaceClient, anEmail, clientOf } from './workspace-client.ts';

let service: Service;
let workspace: WorkspaceFixture;
let owner: WorkspaceClient;
let locker: pg.Client;

beforeAll(async () => {
  service = await shareService();
  workspace = await service.addWorkspace();
  owner = clientOf(service, workspace, workspace.sessionToken);
  locker = new pg.Client({ connectionString: service.database.url });
  await locker.connect();
});
afterAll(async () => {
  await locker.end();
  await service.close();
});

/** One request for each resource of a workspace with a quota. */
const CREATIONS: readonly (readonly [name: string, path: string, json: object])[] = [
  ['a number', '/numbers', { number: '+13330000001' }],
  ['an API key', '/api-keys', { name: 'Blocked' }],
  ['a provider account', '/providers', { type: 'sandbox', credentials: {} }],
  ['an invitation', '/members', { email: anEmail(), role: 'member' }],
  ['a webhook endpoint', '/webhook-endpoints', { url: 'https://example.com/blocked' }],
  ['an opt-out', '/opt-outs', { number: '+13330000002' }],
  ['a contact', '/contacts', { number: '+13330000003', name: 'Ada' }],
  ['a saved reply', '/saved-replies', { name: 'Blocked', body: 'Hello' }],
  ['a saved view', '/saved-views', { name: 'Blocked', filters: { status: 'failed' } }],
  ['a note', '/conversations/%2B13330000004/notes', { body: 'Blocked' }],
];

beforeAll(async () => {
  // A note needs a conversation.
  const sent = await owner('/messages', { json: { to: '+13330000004', body: 'Hello' } });
  if (sent.status !== 201) throw new Error(`The message was not accepted: ${sent.text}`);
});

test('while a workspace is blocked for longer than a statement may wait, each creation is refused with 503, stores nothing and can be repeated', async () => {
  await locker.query('BEGIN');
  await locker.query('SELECT 1 FROM workspaces WHERE id = $1 FOR UPDATE', [workspace.workspaceId]);
  const blocked: ApiResponse[] = [];
  // A few at a time, so that each waits for the workspace and not for a connection.
  for (let from = 0; from < CREATIONS.length; from += 5) {
    const some = CREATIONS.slice(from, from + 5);
    blocked.push(...(await Promise.all(some.map(([, path, json]) => owner(path, { json })))));
  }
  await locker.query('ROLLBACK');
  for (const response of blocked) {
    expectRefusal(response, 503, 'service_unavailable');
    expect(response.headers.get('retry-after')).toBe('1');
  }
  for (const [name, path, json] of CREATIONS) {
    expect([name, (await owner(path, { json })).status]).toEqual([name, 201]);
  }
});

test('of five concurrent requests to create the same thing, at least one is accepted, and the others are refused or may be repeated', async () => {
  const same: readonly (readonly [path: string, json: object])[] = [
    ['/numbers', { number: '+13330000011' }],
    ['/members', { email: anEmail(), role: 'member' }],
    ['/opt-outs', { number: '+13330000012' }],
    ['/contacts', { number: '+13330000013', name: 'Ada' }],
    ['/saved-replies', { name: 'Same', body: 'Hello' }],
    ['/saved-views', { name: 'Same', filters: { status: 'failed' } }],
  ];
  for (const [path, json] of same) {
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => owner(path, { json })));
    const statuses = responses.map(({ status }) => status);
    // On a slow machine, the last ones wait for the workspace for longer than a statement may, as above.
    const failed = statuses.filter((status) => status >= 500 && status !== 503);
    expect([path, failed]).toEqual([path, []]);
    expect([path, statuses.includes(201)]).toEqual([path, true]);
  }
});
