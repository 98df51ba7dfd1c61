import { QUOTAS } from '@switchboard/core';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertApiKeys, insertNumbers, insertWorkspaces } from './fill-quotas.ts';
import { type Answer, type Service, ask, expectRefusal, startService } from './start-service.ts';
import { type WorkspaceClient, clientOf } from './workspace-client.ts';

let service: Service;
let workspace: WorkspaceFixture;
let owner: WorkspaceClient;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  workspace = await service.addWorkspace();
  owner = clientOf(service, workspace, workspace.sessionToken);
});

/** Five at once where one more may be: exactly one is added. */
async function expectOneMore(add: (n: number) => Promise<Answer>, detail: string): Promise<Answer> {
  const answers = await Promise.all([1, 2, 3, 4, 5].map(add));
  const [added, ...more] = answers.filter(({ status }) => status === 201);
  expect([added?.status, more]).toEqual([201, []]);
  for (const answer of answers) {
    if (answer !== added) expectRefusal(answer, 403, 'quota_exceeded', detail);
  }
  if (added === undefined) throw new Error('nothing was added');
  return added;
}

test('a workspace has no more keys than its quota, and a revoked one makes room', async () => {
  // The fixture has one.
  await insertApiKeys(service.sql, workspace.workspaceId, QUOTAS.apiKeysPerWorkspace - 2);
  const create = (n: number) => owner('/api-keys', { json: { name: `More ${n}` } });
  const detail = 'The quota of 100 API keys of the workspace is used up';
  const added = await expectOneMore(create, detail);
  await owner(`/api-keys/${String(added.json?.['id'])}`, { method: 'DELETE' });
  await expectOneMore(create, detail);
});

test('a workspace has no more numbers than its quota', async () => {
  const present = await service.sql('SELECT 1 FROM phone_numbers WHERE workspace_id = $1', [
    workspace.workspaceId,
  ]);
  const free = QUOTAS.numbersPerWorkspace - present.length;
  await insertNumbers(service.sql, workspace.workspaceId, free - 1);
  await expectOneMore(
    (n) => owner('/numbers', { json: { number: `+1333000000${n}` } }),
    'The quota of 1000 numbers of the workspace is used up',
  );
});

test('a user owns no more workspaces than the quota', async () => {
  // The fixture has one.
  await insertWorkspaces(service.sql, workspace.userId, QUOTAS.workspacesPerOwner - 2);
  await expectOneMore(
    (n) =>
      ask(service.url, '/api/ui/workspaces', {
        token: workspace.sessionToken,
        json: { name: `Workspace of mine ${n}` },
      }),
    'The quota of 100 workspaces that one user owns is used up',
  );
});
