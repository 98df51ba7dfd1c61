import { auditList } from '@switchboard/contracts';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, ask, expectRefusal, startService } from './start-service.ts';
import { type WorkspaceClient, addPerson, clientOf } from './workspace-client.ts';

let service: Service;
let workspace: WorkspaceFixture;
let owner: WorkspaceClient;
let second: string;

beforeAll(async () => {
  service = await startService({ env: { TRUST_PROXY: '1' } });
  workspace = await service.addWorkspace();
  owner = clientOf(service, workspace, workspace.sessionToken);
  await owner('', { method: 'PATCH', json: { name: 'By the owner' } });
  await ask(service.url, '/api/workspace', {
    method: 'PATCH',
    token: workspace.apiKey,
    json: { name: 'By a program' },
    headers: { 'x-forwarded-for': '198.51.100.1, ::ffff:203.0.113.9' },
  });
  await owner('/saved-replies', { json: { name: 'Hours', body: 'Nine to five' } });
  const other = await addPerson(service, workspace, 'owner');
  await other.client('/saved-replies', { json: { name: 'Address', body: 'Here' } });
  second = other.userId;
  await service.sql(
    `INSERT INTO audit_entries (workspace_id, at, action, target) VALUES ($1, '2026-01-02T00:00:00Z', 'number.added', '')`,
    [workspace.workspaceId],
  );
});
afterAll(async () => {
  await service.close();
});

async function list(query: string): Promise<string[]> {
  const { data, pagination } = auditList.parse((await owner(`/audit?${query}`)).json);
  expect(pagination.totalItems).toBe(data.length);
  const table = await owner(`/audit/export.csv?${query}`);
  const rows = table.text.trimEnd().split('\r\n').slice(1);
  const actions = data.map(({ action }) => action);
  // The table has the same entries in the same order.
  expect(rows).toEqual(actions.map((action) => expect.stringContaining(`,${action},`) as string));
  return actions.toReversed();
}

test('the list and the table of the audit trail select entries by actor, action and time', async () => {
  expect(await list(`actor=${workspace.apiKeyId}`)).toEqual(['workspace.renamed']);
  expect(await list(`actor=${second}`)).toEqual(['member.joined', 'saved_reply.added']);
  expect(await list('actor=operator')).toEqual(['number.added']);
  expect(await list('action=saved_reply.added')).toHaveLength(2);
  expect(await list(`action=saved_reply.added&actor=${workspace.userId}`)).toHaveLength(1);
  expect(await list('from=2026-01-02&to=2026-01-02T00:00:01Z')).toEqual(['number.added']);
  expect(await list('from=2026-01-01&to=2026-01-02')).toEqual([]);
  expect(await list('from=2026-01-02T00:00:01Z')).not.toContain('number.added');
});

test.each([
  ['actor=Ada', '`actor` must be the id of a user or an API key, or operator'],
  ['action=api_key', '`action` must be an action of the audit trail'],
  ['from=yesterday', '`from` must be an ISO 8601 date or time'],
  ['from=2026-01-02&to=2026-01-02', '`from` must be before `to`'],
])('the audit trail refuses %s', async (query, detail) => {
  for (const path of ['/audit', '/audit/export.csv']) {
    expectRefusal(await owner(`${path}?${query}`), 400, 'invalid_params', detail);
  }
});

test('an entry has the address that the last trusted proxy saw, and not one that the client claims', async () => {
  const { data } = auditList.parse((await owner(`/audit?actor=${workspace.apiKeyId}`)).json);
  expect(data.map(({ ip }) => ip)).toEqual(['203.0.113.9']);
  const table = await owner(`/audit/export.csv?actor=${workspace.apiKeyId}`);
  expect(table.text.trimEnd()).toMatch(/,203\.0\.113\.9$/);
});
