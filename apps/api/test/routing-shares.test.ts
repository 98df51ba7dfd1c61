import { randomUUID } from 'node:crypto';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, expectRefusal, shareService } from './start-service.ts';
import { type WorkspaceClient, clientOf, dataOf } from './workspace-client.ts';

let service: Service;
let workspace: WorkspaceFixture;
let owner: WorkspaceClient;

beforeAll(async () => {
  service = await shareService();
  workspace = await service.addWorkspace();
  owner = clientOf(service, workspace, workspace.sessionToken);
});
afterAll(() => service.close());

/** Stores messages that were created a few minutes ago. */
async function store(messages: {
  count: number;
  minutesAgo: number;
  account: string | null;
  direction?: 'inbound';
  status?: string;
}): Promise<void> {
  const { count, minutesAgo, account, direction = 'outbound', status = 'sent' } = messages;
  await service.sql(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
       created_at, updated_at, dispatch, provider_id, attempt)
     SELECT uuid_v7(at), $1, $2::direction, '+14155550123', $3, 'Hello', 1, $7::message_status,
       at, at, 'accepted', $4::uuid, CASE WHEN $4::text IS NULL THEN 0 ELSE 1 END
     FROM generate_series(1, $5::int),
       LATERAL (SELECT now() - $6::int * interval '1 minute') AS t(at)`,
    [workspace.workspaceId, direction, workspace.from, account, count, minutesAgo, status],
  );
}

const sharesOf = async (period: string) => (await owner(`/routing/shares?period=${period}`)).json;

test('the share of each account counts the messages that were handed to it in the period, with their outcomes', async () => {
  const [main] = dataOf(await owner('/providers')) as { id: string }[];
  const added = await owner('/providers', { json: { type: 'sandbox', credentials: {} } });
  const backup = String(added.json?.['id']);
  const account = backup;
  expect(await sharesOf('hour')).toMatchObject({ shares: [], is_complete: true });

  await store({ count: 3, minutesAgo: 5, account: workspace.providerId });
  await store({ count: 1, minutesAgo: 5, account });
  await store({ count: 4, minutesAgo: 120, account });
  await store({ count: 9, minutesAgo: 2_000, account });
  // Messages that were not handed over yet, were received, or were sent by an account that was
  // removed.
  await store({ count: 5, minutesAgo: 5, account: null });
  await store({ count: 5, minutesAgo: 5, account, direction: 'inbound' });
  await store({ count: 5, minutesAgo: 5, account: randomUUID() });

  const ofMain = { provider_id: main?.id, messages: 3 };
  expect(await sharesOf('hour')).toMatchObject({
    is_complete: true,
    shares: [
      { ...ofMain, share: 0.75 },
      { provider_id: backup, messages: 1, share: 0.25 },
    ],
  });
  expect(await sharesOf('day')).toMatchObject({
    shares: [
      { provider_id: backup, messages: 5, share: 0.625 },
      { ...ofMain, share: 0.375 },
    ],
  });

  const statuses = ['queued', 'sending', 'delivered', 'read', 'failed', 'undelivered', 'canceled'];
  for (const status of statuses)
    await store({ count: 1, minutesAgo: 5, account: workspace.providerId, status });
  expect(await sharesOf('hour')).toMatchObject({
    shares: [
      { provider_id: main?.id, messages: 9, delivered: 2, failed: 2, in_progress: 5, share: 0.9 },
      { provider_id: backup, messages: 1, delivered: 0, failed: 0, in_progress: 1, share: 0.1 },
    ],
  });
  expectRefusal(await owner('/routing/shares?period=week'), 400, 'invalid_params');
});

test('in a workspace with many messages, the shares count the newest 10,000', async () => {
  await store({ count: 10_000, minutesAgo: 0, account: workspace.providerId });
  expect(await sharesOf('day')).toMatchObject({
    is_complete: false,
    shares: [{ messages: 10_000, share: 1 }],
  });
});
