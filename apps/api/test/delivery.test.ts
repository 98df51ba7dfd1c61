import { openTestDatabase } from '@switchboard/testing';
import { type Delivery, delivery } from '@switchboard/contracts';
import { type Database, createStoreBreakdowns } from '@switchboard/database';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Service, startService } from './start-service.ts';
import { type WorkspaceClient, clientOf } from './workspace-client.ts';

let service: Service;
let database: Database;
let workspace: WorkspaceFixture;
let client: WorkspaceClient;

beforeAll(async () => {
  service = await startService();
  database = openTestDatabase(service.database.url);
});
afterAll(async () => {
  await database.close();
  await service.close();
});
beforeEach(async () => {
  workspace = await service.addWorkspace();
  client = clientOf(service, workspace, workspace.sessionToken);
});

interface Sent {
  at: string;
  to?: string;
  from?: string | null;
  status?: string;
  account?: string | null;
  by?: 'user' | 'api_key' | 'help_reply';
  seconds?: number;
  scheduledAfter?: number;
}

async function add(messages: readonly Sent[]): Promise<void> {
  for (const { at, seconds, scheduledAfter = null, by = 'api_key', ...sent } of messages) {
    const status = sent.status ?? 'delivered';
    const { to = '+4915112345678', from = '+15005550006', account = workspace.accountSid } = sent;
    const senders = { user: workspace.userId, api_key: workspace.apiKeyId, help_reply: ID };
    await service.sql(
      `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status, created_at,
         updated_at, dispatch, provider_id, sent_by, sent_by_id, scheduled_at, delivered_at)
       VALUES (uuid_v7($1), $2, $9, $3, $4, 'Hello', 1, $5, $1, $1, 'accepted', COALESCE((SELECT p.id FROM provider_accounts p
           WHERE p.workspace_id = $2 AND p.vendor_account_id = $6), md5($6)::uuid), $7, $8,
         $1::timestamptz + $10::float8 * interval '1 second',
         $1::timestamptz + (COALESCE($10::float8, 0) + $11::float8) * interval '1 second')`,
      [
        at,
        workspace.workspaceId,
        to,
        from,
        status,
        account,
        by,
        senders[by],
        status === 'received' ? 'inbound' : 'outbound',
        scheduledAfter,
        seconds ?? null,
      ],
    );
  }
}

const ID = '01900000-0000-7000-8000-000000000001';
const read = async (query: string): Promise<Delivery> =>
  delivery.strict().parse((await client(`/delivery?${query}`)).json);

/** In the order of the values: the value, and the counts of both periods. */
const partsOf = (parts: Delivery['sender']) =>
  parts
    .toSorted((a, b) => ((a.value ?? '') < (b.value ?? '') ? -1 : 1))
    .map((part) => [
      part.value,
      [part.sent, part.delivered, part.failed],
      [part.sent_before, part.delivered_before, part.failed_before],
    ]);

test('sent messages are counted by country, sender, account and person, together with those of the previous week', async () => {
  await add([
    { at: '2026-03-10T08:00:00Z' },
    { at: '2026-03-10T09:00:00Z', to: '+12025550123', status: 'failed' },
    { at: '2026-03-10T10:00:00Z', to: '+12025550123', status: 'undelivered', by: 'user' },
    { at: '2026-03-10T11:00:00Z', to: '+35312345678', status: 'sent', from: '+15005550007' },
    { at: '2026-03-10T12:00:00Z', status: 'read', account: 'removed', by: 'help_reply' },
    { at: '2026-03-10T12:30:00Z', to: '90900', from: null, account: null, status: 'queued' },
    // Not sent, received, and after the period.
    { at: '2026-03-10T13:00:00Z', status: 'canceled' },
    { at: '2026-03-10T13:00:00Z', status: 'scheduled' },
    { at: '2026-03-10T13:00:00Z', status: 'received' },
    { at: '2026-03-11T00:00:00Z' },
    // The week before, and the day before.
    { at: '2026-03-03T08:00:00Z' },
    { at: '2026-03-03T23:59:59.999Z', status: 'failed', by: 'user' },
    { at: '2026-03-09T08:00:00Z' },
  ]);
  const response = await read('from=2026-03-10&to=2026-03-11');
  expect([response.from_before, response.to_before]).toEqual([
    '2026-03-03T00:00:00.000Z',
    '2026-03-04T00:00:00.000Z',
  ]);
  expect(response.total).toEqual({
    sent: 6,
    delivered: 2,
    failed: 2,
    sent_before: 2,
    delivered_before: 1,
    failed_before: 1,
  });
  expect(partsOf(response.country_code)).toEqual([
    [null, [1, 0, 0], [0, 0, 0]],
    ['1', [2, 0, 2], [0, 0, 0]],
    ['353', [1, 0, 0], [0, 0, 0]],
    ['49', [2, 2, 0], [2, 1, 1]],
  ]);
  expect(partsOf(response.sender)).toEqual([
    [null, [1, 0, 0], [0, 0, 0]],
    ['+15005550006', [4, 2, 2], [2, 1, 1]],
    ['+15005550007', [1, 0, 0], [0, 0, 0]],
  ]);
  const { json } = await client('/providers');
  const [account] = (json as { data: { id: string; type: string }[] }).data;
  expect(response.provider.map(({ value, name, sent }) => [value, name, sent])).toEqual([
    [account?.id, account?.type, 4],
    [null, null, 2],
  ]);
  const names = response.sent_by.map(({ value, name, sent }) => [name, value, sent]);
  expect(names).toHaveLength(3);
  expect(names).toEqual(
    expect.arrayContaining([
      ['Test', workspace.apiKeyId, 4],
      ['Owner', workspace.userId, 1],
      [null, null, 1],
    ]),
  );
});

test('the time to delivery counts from the scheduled time, and is within 2.5 % of the exact time', async () => {
  const at = (n: number): string => new Date(Date.UTC(2026, 2, 10) + n * 1_000).toISOString();
  await add(
    Array.from({ length: 40 }, (_, n) => ({
      at: at(n),
      seconds: n + 1,
      ...(n % 2 === 0 && { scheduledAfter: 3_600 }),
    })),
  );
  await add([{ at: '2026-03-03T08:00:00Z', seconds: 600, status: 'read' }]);
  await add([{ at: '2026-03-10T08:00:00Z', status: 'failed', seconds: 6_000 }]);
  const { time_to_delivery: times } = await read('from=2026-03-10&to=2026-03-11');
  expect(times.median_ms).toBeGreaterThan(20_000 * 0.975);
  expect(times.median_ms).toBeLessThan(20_000 * 1.025);
  expect(times.p95_ms).toBeGreaterThan(38_000 * 0.975);
  expect(times.p95_ms).toBeLessThan(38_000 * 1.025);
  expect(Math.abs((times.median_ms_before ?? 0) - 600_000)).toBeLessThan(15_000);
  expect((await read('from=2026-01-01&to=2026-01-02')).time_to_delivery.median_ms).toBeNull();
});

test.each([
  ['from=2026-03-10&to=2026-03-17', '2026-03-03T00:00:00.000Z'],
  ['from=2026-03-01&to=2026-03-31', '2026-01-25T00:00:00.000Z'],
])('the period %s is compared with the one from %s, on the same weekdays', async (query, from) => {
  expect((await read(query)).from_before).toBe(from);
});

test('stored counts of past days give the same result as the messages, even after these have changed', async () => {
  const days = ['2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12'];
  await add(
    days.flatMap((day) => [
      { at: `${day}T01:00:00Z`, seconds: 3 },
      { at: `${day}T02:00:00Z`, status: 'sent', to: '+12025550123' },
      { at: `${day}T23:30:00Z`, status: 'failed', from: null },
    ]),
  );
  // Whole days, and parts of days as in other time zones.
  const queries = ['from=2026-03-09&to=2026-03-13', 'from=2026-03-09T12:00Z&to=2026-03-12T02:30Z'];
  const readAll = () => Promise.all(queries.map(read));
  const counted = await readAll();
  const store = createStoreBreakdowns(database);
  expect(await store(20_000)).toBe(false);
  const stored = await service.sql<{ n: string }>(
    `SELECT count(*) AS n FROM message_breakdowns WHERE workspace_id = $1`,
    [workspace.workspaceId],
  );
  expect(Number(stored[0]?.n)).toBeGreaterThan(30);
  expect(await readAll()).toEqual(counted);

  // A late status and a deletion: the response is correct immediately, and after the worker has
  // counted again.
  await service.sql(
    `UPDATE message_records SET status = 'delivered' WHERE workspace_id = $1 AND status = 'sent'
       AND created_at < '2026-03-11'`,
    [workspace.workspaceId],
  );
  await service.sql(
    `DELETE FROM message_records WHERE workspace_id = $1 AND created_at >= '2026-03-12'`,
    [workspace.workspaceId],
  );
  const [changed] = await readAll();
  expect(changed?.total).toMatchObject({ sent: 9, delivered: 5, failed: 3 });
  const again = await readAll();
  await store(20_000);
  expect(await readAll()).toEqual(again);
  const rest = await service.sql(
    `SELECT FROM message_breakdowns WHERE workspace_id = $1 AND day = '2026-03-12'`,
    [workspace.workspaceId],
  );
  expect(rest).toEqual([]);
});
