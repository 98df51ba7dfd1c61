import { type TestDatabase, createTestDatabase, openTestDatabase } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  type Database,
  type MessageFilter,
  countMatches,
  createStoreBreakdowns,
} from '../src/index.ts';

// The tests count with hundreds of filters, after each of several changes.
vi.setConfig({ testTimeout: 120_000 });

const WORKSPACE = '01900000-0000-7000-8000-000000000001';
const id = (end: number): string => `01900000-0000-7000-8000-0000000000${end}`;
const KEYS = [id(11), id(12)];
const USERS = [id(21), id(22)];
const ACCOUNTS = [id(31), id(32)];
const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00.000Z');
const MESSAGES = 400;

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url);
  await database.pool.query(
    `INSERT INTO workspaces (id, name, created_at) VALUES ($1, 'A', now())`,
    [WORKSPACE],
  );
  await database.pool.query(
    `INSERT INTO api_keys (id, workspace_id, name, key_hash, prefix, last4, created_at)
     SELECT id, $1, 'Shop', sha256(id::text::bytea), '', '', now() FROM unnest($2::uuid[]) AS id`,
    [WORKSPACE, KEYS],
  );
  await database.pool.query(
    `INSERT INTO provider_accounts (id, workspace_id, type, account_sid, auth_token_encrypted,
       auth_token_last4, created_at, updated_at)
     SELECT id, $1, 'sandbox', name, '', '', now(), now()
     FROM unnest($2::uuid[], '{one,two}'::text[]) AS account(id, name)`,
    [WORKSPACE, ACCOUNTS],
  );
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Four past days, and a few messages of the current one, without stored counts. */
beforeEach(async () => {
  await run('TRUNCATE messages, message_breakdowns, message_recounts');
  await database.pool.query(
    `INSERT INTO messages (id, workspace_id, direction, "to", "from", body, segments, status,
       created_at, updated_at, dispatch, sent_by, sent_by_id, provider_account)
     SELECT uuid_v7(at), $1, (CASE WHEN n % 5 = 0 THEN 'inbound' ELSE 'outbound' END)::direction,
       '+15550000001', '+15551000001', 'Text', 1,
       (CASE WHEN n % 5 = 0 THEN 'received' ELSE ('{queued,sending,sent,failed,delivered}'::text[])[1 + n % 7 % 5] END)::message_status,
       at, at, 'accepted',
       CASE WHEN n % 5 > 0 THEN (CASE WHEN n % 3 = 0 THEN 'user' ELSE 'api_key' END)::sender_kind END,
       CASE WHEN n % 5 > 0 THEN (CASE WHEN n % 3 = 0 THEN $2::uuid[] ELSE $3::uuid[] END)[1 + n / 16 % 2] END,
       (ARRAY['one', 'two', 'removed', NULL])[1 + n / 4 % 4]
     FROM generate_series(0, $4::int - 1) n, LATERAL (
       SELECT CASE WHEN n % 40 = 39 THEN date_trunc('milliseconds', now())
         ELSE $5::timestamptz + n % 4 * interval '1 day' + n / 4 * interval '14 minutes' END AS at) times`,
    [WORKSPACE, USERS, KEYS, MESSAGES, new Date(START)],
  );
});

const run = (sql: string) => database.pool.query(sql);
const store = async () => expect(await createStoreBreakdowns(database)(60_000)).toBe(false);
const count = (filter: MessageFilter) => countMatches(database.pool, WORKSPACE, filter);

const SENDERS = [undefined, [KEYS[0]], [KEYS[1], USERS[0]]];
const PROVIDERS = [undefined, [ACCOUNTS[0]], [...ACCOUNTS, id(99)]];
const STATUSES = [undefined, ['failed'], ['sent', 'sending', 'received']];
const DIRECTIONS = [undefined, 'outbound', 'inbound'];
const at = (days: number) => new Date(START + days * DAY_MS);
const PERIODS = [
  {},
  { after: new Date(START - 1), before: at(3) },
  { after: at(0.4), before: at(2.7) },
  { after: at(1.2), before: at(1.6) },
];

/** Every combination of these filters with a sender or an account. */
const FILTERS = SENDERS.flatMap((sentBy) =>
  PROVIDERS.flatMap((provider) =>
    STATUSES.flatMap((status) =>
      DIRECTIONS.flatMap((direction) =>
        PERIODS.map((period) => ({ sentBy, provider, status, direction, ...period })),
      ),
    ),
  ),
).filter(({ sentBy, provider }) => sentBy !== undefined || provider !== undefined);

interface Row {
  status: string;
  direction: string;
  sender: string | null;
  account: string | null;
  at: Date;
}

async function expectExactTotals(): Promise<void> {
  const { rows } = await database.pool.query<Row>(
    `SELECT status, direction, sent_by_id AS sender, provider_account AS account, created_at AS at FROM messages`,
  );
  const names = new Map([
    [ACCOUNTS[0], 'one'],
    [ACCOUNTS[1], 'two'],
  ]);
  const expected = FILTERS.map(({ sentBy, provider, status, direction, ...period }) => {
    const accounts = provider?.map((each) => names.get(each));
    const { after, before }: { after?: Date; before?: Date } = period;
    return rows.filter(
      (row) =>
        (sentBy === undefined || sentBy.includes(row.sender ?? '')) &&
        (accounts === undefined || accounts.includes(row.account ?? '')) &&
        (status === undefined || status.includes(row.status)) &&
        (direction === undefined || direction === row.direction) &&
        (after === undefined || row.at > after) &&
        (before === undefined || row.at < before),
    ).length;
  });
  const wrong: unknown[] = [];
  for (const [index, filter] of FILTERS.entries()) {
    const total = await count(filter as MessageFilter);
    if (total !== expected[index]) wrong.push([filter, total, expected[index]]);
  }
  expect(wrong).toEqual([]);
}

const ofDay = (day: number, status: string) =>
  `created_at >= '2026-03-0${day}' AND created_at < '2026-03-0${day + 1}' AND status = '${status}'`;
const firstOf = (day: number, status: string, and = 'true') =>
  `id = (SELECT id FROM messages WHERE ${ofDay(day, status)} AND ${and} ORDER BY id LIMIT 1)`;

test('totals of senders and accounts are exact before and after workers store counts, and after every kind of change', async () => {
  await expectExactTotals();
  await store();
  await expectExactTotals();
  const changes = [
    `UPDATE messages SET status = 'delivered' WHERE ${ofDay(1, 'sent')}`,
    `DELETE FROM messages WHERE ${ofDay(2, 'failed')}`,
    // The counts by status stay the same: the account changes, and two messages exchange their statuses.
    `UPDATE messages SET provider_account = 'two' WHERE ${firstOf(3, 'sending', `provider_account = 'one'`)}`,
    `UPDATE messages SET status = CASE status WHEN 'sent' THEN 'sending' ELSE 'sent' END::message_status
     WHERE ${firstOf(4, 'sent', `sent_by = 'user'`)} OR ${firstOf(4, 'sending', `sent_by = 'api_key'`)}`,
    `DELETE FROM messages WHERE created_at < '2026-03-02'`,
  ];
  for (const change of changes) {
    expect([change, (await run(change)).rowCount]).not.toEqual([change, 0]);
    await expectExactTotals();
  }
  await store();
  expect((await run('SELECT FROM message_recounts')).rowCount).toBe(0);
  await expectExactTotals();
});

test('totals of senders and accounts stay exact while messages change and workers store counts at the same time', async () => {
  const sentBy = KEYS.slice(0, 1);
  const total = await count({ sentBy });
  const both = await count({ provider: ACCOUNTS, direction: 'outbound' });
  let isDone = false;
  const change = async (): Promise<void> => {
    for (let round = 0; round < 20; round += 1) {
      const status = ['sent', 'delivered', 'sending'][round % 3];
      await run(`UPDATE messages SET status = '${status}' WHERE sent_by_id = '${KEYS[0]}'`);
      await run(
        `UPDATE messages SET provider_account = CASE provider_account WHEN 'one' THEN 'two' ELSE 'one' END
         WHERE provider_account IN ('one', 'two')`,
      );
    }
  };
  const storeAgain = async (): Promise<void> => {
    while (!isDone) await store();
  };
  const read = async (): Promise<void> => {
    while (!isDone) {
      expect(await count({ sentBy })).toBe(total);
      expect(await count({ provider: ACCOUNTS, direction: 'outbound' })).toBe(both);
    }
  };
  const changed = change().finally(() => {
    isDone = true;
  });
  await Promise.all([changed, storeAgain(), read()]);
  await store();
  await expectExactTotals();
});

test('the total of an API key adds up the stored counts of a past day until a message of that day changes', async () => {
  await store();
  const total = await count({ sentBy: KEYS });
  const raised = await run(
    `UPDATE message_breakdowns SET n = n + 1000
     WHERE day = '2026-03-01' AND dimension = 'sent_by' AND value = '${KEYS[0]}' AND status = 'failed'`,
  );
  expect(raised.rowCount).toBe(1);
  expect(await count({ sentBy: KEYS })).toBe(total + 1000);
  await run(`UPDATE messages SET status = 'delivered' WHERE ${firstOf(1, 'sent')}`);
  expect(await count({ sentBy: KEYS })).toBe(total);
});
