import { afterAll, beforeAll, expect } from 'vitest';
import type { WorkspaceFixture } from '@switchboard/testing';
import { type ApiResponse, type Service, ask, startService } from '../start-service.ts';

export interface Row {
  id: string;
  direction: string;
  status: string;
  from: string;
  to: string;
  error_code: string | null;
  /** The user or the API key. */
  sender_id: string | null;
  /** The name of the account. */
  account: string | null;
  reference: string | null;
  created_at: string;
}

export let service: Service;
export let workspace: WorkspaceFixture;
export let other: WorkspaceFixture;
/** The messages of the workspace, newest first. */
export let rows: Row[];

/** Two users and two API keys. */
export const SENDERS = ['11', '12', '21', '22'].map(
  (end) => `01900000-0000-7000-8000-0000000000${end}`,
);
/** The ids of the accounts `one` and `two` of the workspace. */
export const ACCOUNTS = ['1', '2'].map((end) => `01900000-0000-7000-8000-00000000000${end}`);

const START = Date.parse('2026-03-01T00:00:00.000Z');
export const STATUSES = [
  'queued',
  'sent',
  'delivered',
  'failed',
  'scheduled',
  'sending',
  'canceled',
  'undelivered',
  'read',
];

/** Registers the hooks of the calling file. Files that share a process load this module once. */
export function useHistoryService(): void {
  beforeAll(async () => {
    service = await startService({
      env: { RATE_LIMIT_MESSAGING: '100000', RATE_LIMIT_UI: '100000' },
    });
    [workspace, other] = await Promise.all([service.addWorkspace(), service.addWorkspace()]);
    // 240 messages over ten days, with twelve at each time, so that the order must break ties.
    const insert = `
      INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
        created_at, updated_at, dispatch, error_code, sent_by, sent_by_id, provider_id, reference)
      SELECT uuid_v7(at), $1, (CASE WHEN n % 4 = 0 THEN 'inbound' ELSE 'outbound' END)::direction,
        '+1555000000' || (n % 3), '+1555100000' || (n % 2), 'Text ' || n, 1,
        (CASE WHEN n % 4 = 0 THEN 'received' ELSE ($2::text[])[1 + n % ${STATUSES.length}] END)::message_status,
        at, at, 'accepted', CASE WHEN n % 5 = 0 THEN '30003' WHEN n % 7 = 0 THEN '30005' END,
        CASE WHEN n % 4 > 0 THEN (ARRAY['user', 'api_key'])[1 + n / 4 % 2]::sender_kind END,
        CASE WHEN n % 4 > 0 THEN ('01900000-0000-7000-8000-0000000000' || (1 + n / 4 % 2) || 1 + n % 2)::uuid END,
        COALESCE(p.id, md5(account)::uuid),
        CASE WHEN n % 4 > 0 THEN (ARRAY['order 7, part 2', 'order 7'])[n / 4 % 3] END
      FROM generate_series(0, 239) n
        CROSS JOIN LATERAL (SELECT (ARRAY['one', 'two', 'removed', NULL])[1 + n / 2 % 4] AS account) AS a
        LEFT JOIN provider_accounts p ON p.workspace_id = $1 AND p.vendor_account_id = account,
        LATERAL (SELECT to_timestamp($3 / 1000.0) + (n / 12) * interval '12 hours') AS t(at)`;
    for (const { workspaceId } of [workspace, other]) {
      // Both workspaces have accounts with the same names at the provider.
      await service.sql(
        `INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
           secret_last4, created_at, updated_at)
         SELECT COALESCE(id, uuid_v7(now())), $1, 'sandbox', name, '', '', now(), now()
         FROM unnest($2::uuid[], '{one,two}'::text[]) AS account(id, name)`,
        [workspaceId, workspaceId === workspace.workspaceId ? ACCOUNTS : []],
      );
      await service.sql(insert, [workspaceId, STATUSES, START]);
    }
    // Half of the sent messages are in progress, in every status.
    const inProgress = await service.updateMessages({
      set: 'due_at = now()',
      where: `direction = 'outbound' AND hashtext(id::text) % 2 = 0`,
    });
    if (inProgress === 0) throw new Error('expected messages in progress');
    await service.sql(
      `INSERT INTO api_keys (id, workspace_id, name, key_hash, prefix, last4, created_at)
       SELECT id, $1, 'Shop', sha256(id::text::bytea), '', '', now() FROM unnest($2::uuid[]) AS id`,
      [workspace.workspaceId, SENDERS.slice(2)],
    );
    rows = await service.sql<Row>(
      `SELECT id, direction, status, "from", "to", error_code, reference, created_at, sent_by_id AS sender_id,
         (SELECT p.vendor_account_id FROM provider_accounts p WHERE p.id = provider_id) AS account
       FROM messages
       WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC`,
      [workspace.workspaceId],
    );
    if (rows.length !== 240) throw new Error(`expected 240 messages, found ${rows.length}`);
  });

  afterAll(() => service.close());
}

export const list = (query: string): Promise<ApiResponse> =>
  ask(service.url, `/api/messages${query}`, { token: workspace.apiKey });

export interface History {
  messages: Row[];
  pagination: { currentPage: number; totalPages: number; totalMessages: number; hasNext: boolean };
}

export async function read(query: string): Promise<History> {
  const { json, status } = await list(query);
  expect([query, status]).toEqual([query, 200]);
  expect(Object.keys(json ?? {}).toSorted()).toEqual(['messages', 'pagination']);
  return json as unknown as History;
}

export const idsOf = (messages: readonly { id: string }[]): string[] =>
  messages.map(({ id }) => id);

export const at = (row: Row): number => new Date(row.created_at).getTime();
