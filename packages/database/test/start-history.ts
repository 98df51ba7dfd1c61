import { createUuidV7 } from '@switchboard/core';
import {
  type TestDatabase,
  createTestDatabase,
  openTestDatabase,
  updateMessages,
} from '@switchboard/testing';
import { expect } from 'vitest';
import {
  type Database,
  type MessageFilter,
  countMatches,
  createListMessages,
  createReadMessagesAfter,
  createStoreBreakdowns,
} from '../src/index.ts';

const WORKSPACE = '01900000-0000-7000-8000-000000000001';
const id = (end: number): string => `01900000-0000-7000-8000-0000000000${end}`;
export const [BUSY_KEY, RARE_KEY, OTHER_KEY, REMOVED_KEY] = [id(11), id(12), id(13), id(14)];
export const [USER, OTHER_USER] = [id(21), id(22)];
export const [BUSY_ACCOUNT, RARE_ACCOUNT, REMOVED_ACCOUNT] = [id(31), id(32), id(33)];
const ACCOUNTS = new Map([
  [BUSY_ACCOUNT, 'busy'],
  [RARE_ACCOUNT, 'rare'],
]);
export const DAY_MS = 86_400_000;

export interface Row {
  id: string;
  at: Date;
  direction: string;
  status: string;
  sender: string | null;
  account: string | null;
  /** The number outside the workspace. */
  other?: string;
}

/** Returns the statement that deletes messages, in progress or not. */
export const deleteMessages = (where: string): string =>
  `DELETE FROM message_records WHERE id IN (SELECT id FROM messages WHERE ${where})`;

export type History = Awaited<ReturnType<typeof startHistory>>;

/** Creates a database with a workspace, and functions that change its messages and read its pages and totals. */
export async function startHistory(options: { poolSize?: number } = {}) {
  const testDatabase: TestDatabase = await createTestDatabase();
  const database: Database = openTestDatabase(testDatabase.url, options);
  const { pool } = database;
  await pool.query(`INSERT INTO workspaces (id, name, created_at) VALUES ($1, 'A', now())`, [
    WORKSPACE,
  ]);
  await pool.query(
    `INSERT INTO api_keys (id, workspace_id, name, key_hash, prefix, last4, created_at)
     SELECT id, $1, 'Shop', sha256(id::text::bytea), '', '', now() FROM unnest($2::uuid[]) AS id`,
    [WORKSPACE, [BUSY_KEY, RARE_KEY, OTHER_KEY]],
  );
  await pool.query(
    `INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
       secret_last4, created_at, updated_at)
     SELECT id, $1, 'sandbox', name, '', '', now(), now()
     FROM unnest($2::uuid[], $3::text[]) AS account(id, name)`,
    [WORKSPACE, [...ACCOUNTS.keys()], [...ACCOUNTS.values()]],
  );

  /** Inserts messages. Those with the status `queued` or `sent` are in progress, and half of those that failed. */
  async function insert(rows: readonly Omit<Row, 'id'>[]): Promise<void> {
    const ids = rows.map(({ at }) => createUuidV7(at.getTime()));
    const column = <Name extends keyof Omit<Row, 'id'>>(name: Name) => rows.map((row) => row[name]);
    await pool.query(
      `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
         created_at, updated_at, dispatch, sent_by, sent_by_id, provider_id)
       SELECT id, $1, direction::direction,
         CASE direction WHEN 'inbound' THEN '+15551000001' ELSE other END,
         CASE direction WHEN 'inbound' THEN other ELSE '+15551000001' END, 'Text', 1,
         status::message_status, at, at, 'accepted',
         (CASE WHEN sender IS NULL THEN NULL WHEN sender = ANY($8::uuid[]) THEN 'user' ELSE 'api_key' END)::sender_kind,
         sender, COALESCE(
           (SELECT a.id FROM provider_accounts a WHERE a.vendor_account_id = account), md5(account)::uuid)
       FROM unnest($2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::uuid[], $7::text[], $9::text[])
         AS row(id, at, direction, status, sender, account, other)`,
      [
        WORKSPACE,
        ids,
        column('at'),
        column('direction'),
        column('status'),
        column('sender'),
        column('account'),
        [USER, OTHER_USER],
        rows.map(({ other = '+15550000001' }) => other),
      ],
    );
    await updateMessages(pool, {
      set: `due_at = now()`,
      where: `id = ANY($1) AND direction = 'outbound'
        AND (status IN ('queued', 'sent') OR status = 'failed' AND hashtext(id::text) % 2 = 0)`,
      values: [ids],
    });
  }

  /** Returns the matching messages, the newest first, by a scan of all. */
  function select(
    rows: readonly Row[],
    filter: MessageFilter,
    after: string | null = null,
  ): string[] {
    const { sentBy, provider, status, direction, countryCode, before } = filter;
    const accounts = provider?.map((each) => ACCOUNTS.get(each));
    return rows
      .filter(
        (row) =>
          (sentBy === undefined || sentBy.includes(row.sender ?? '')) &&
          (accounts === undefined || accounts.includes(row.account ?? '')) &&
          (status === undefined || status.some((each) => each === row.status)) &&
          (direction === undefined || direction === row.direction) &&
          (countryCode === undefined ||
            countryCode.some((code) => row.other?.startsWith(`+${code}`))) &&
          (filter.after === undefined || row.at > filter.after) &&
          (before === undefined || row.at < before) &&
          (after === null || row.id < after),
      )
      .map((row) => row.id);
  }

  const list = createListMessages(database);
  const readAfter = createReadMessagesAfter(database);

  return {
    database,
    pool,
    insert,
    /** Changes messages, in progress or not. Returns their number. */
    update: (set: string, where: string): Promise<number> => updateMessages(pool, { set, where }),
    clear: () =>
      pool.query(
        'TRUNCATE message_records, message_progress, message_breakdowns, message_recounts',
      ),
    /** Stores the counts of all past days. */
    async store(): Promise<void> {
      expect(await createStoreBreakdowns(database)(60_000)).toBe(false);
    },
    async readRows(): Promise<Row[]> {
      const { rows } = await pool.query<Row>(
        `SELECT id, created_at AS at, direction, status, sent_by_id AS sender,
           COALESCE((SELECT a.vendor_account_id FROM provider_accounts a WHERE a.id = provider_id),
             provider_id::text) AS account,
           CASE direction WHEN 'inbound' THEN "from" ELSE "to" END AS other
         FROM messages ORDER BY id DESC`,
      );
      return rows;
    },
    count: (filter: MessageFilter): Promise<number> => countMatches(pool, WORKSPACE, filter),
    async readPage(filter: MessageFilter, number = 1, size = 10): Promise<string[]> {
      return (await list(WORKSPACE, filter, { number, size })).messages.map((each) => each.id);
    },
    /** Compares a page with a scan, and the page after a message with one too. */
    async expectPages(
      rows: readonly Row[],
      filter: MessageFilter,
      { number, size, after }: { number: number; size: number; after: string },
    ): Promise<void> {
      const page = await list(WORKSPACE, filter, { number, size });
      const matches = select(rows, filter);
      expect(page.messages.map((each) => each.id)).toEqual(
        matches.slice((number - 1) * size, number * size),
      );
      expect(page.total).toBe(matches.length);
      const next = await readAfter(WORKSPACE, filter, { after, size });
      expect(next.map((each) => each.id)).toEqual(select(rows, filter, after).slice(0, size));
    },
    select,
    async close(): Promise<void> {
      await database.close();
      await testDatabase.drop();
    },
  };
}
