import type { Direction, MessageStatus } from '@switchboard/core';
import {
  type TestDatabase,
  createTestDatabase,
  openTestDatabase,
  updateMessages,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, type MessageFilter, createMessageStore } from '../src/index.ts';

interface Row {
  id: string;
  direction: Direction;
  status: MessageStatus;
  from: string;
  at: number;
}

const WORKSPACE = '01900000-0000-7000-8000-000000000001';
const START = Date.parse('2026-03-01T00:00:00.000Z');
const HOUR_MS = 3_600_000;
const SIZE = 200;

let testDatabase: TestDatabase;
let database: Database;
/** The newest messages come first. */
let rows: Row[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url);
  // Five days and a part of one. The third day has the most messages and the fourth has none.
  const inserted = await database.pool.query<Row>(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
       created_at, updated_at, dispatch)
     SELECT uuid_v7(at), $1, (CASE WHEN n % 4 = 0 THEN 'inbound' ELSE 'outbound' END)::direction,
       '+15550000001', '+1555100000' || n % 2, 'Text', 1,
       (CASE WHEN n % 3 = 0 THEN 'failed' ELSE 'delivered' END)::message_status, at, at, 'accepted'
     FROM generate_series(0, 5999) n, LATERAL (
       SELECT date_trunc('milliseconds', $2::timestamptz
         + (CASE WHEN n < 1000 THEN 0 WHEN n < 1500 THEN 1 WHEN n < 4500 THEN 2
             WHEN n < 5500 THEN 4 ELSE 5 END) * interval '1 day'
         + n % 1000 * interval '40 seconds') AS at) times
     RETURNING id, direction, status, "from", (extract(epoch FROM created_at) * 1000)::float8 AS at`,
    [WORKSPACE, new Date(START)],
  );
  await updateMessages(database.pool, {
    set: 'due_at = now()',
    where: `direction = 'outbound' AND hashtext(id::text) % 3 = 0`,
  });
  rows = inserted.rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const FILTERS: MessageFilter[] = [
  {},
  { status: ['failed'] },
  { direction: 'outbound' },
  { direction: 'outbound', status: ['failed'] },
  { from: ['+15551000001'] },
  { before: new Date(START + 5 * 24 * HOUR_MS) },
  { before: new Date(START + 4 * 24 * HOUR_MS + 7 * HOUR_MS), status: ['delivered'] },
  {
    after: new Date(START + 5 * HOUR_MS),
    before: new Date(START + 2 * 24 * HOUR_MS + 9 * HOUR_MS),
  },
  { after: new Date(START + 5 * HOUR_MS), direction: 'outbound' },
];

test.each(FILTERS)(
  'every page of the history continues where the previous one ended: %o',
  async (filter) => {
    const store = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 1_000 });
    const expected = rows.filter(
      (row) =>
        (filter.status === undefined || filter.status.includes(row.status)) &&
        (filter.direction === undefined || row.direction === filter.direction) &&
        (filter.from === undefined || filter.from.includes(row.from)) &&
        (filter.after === undefined || row.at > filter.after.getTime()) &&
        (filter.before === undefined || row.at < filter.before.getTime()),
    );
    expect(expected.length).toBeGreaterThan(1_000 + 2 * SIZE);
    const seen: string[] = [];
    for (let number = 1; seen.length < expected.length; number += 1) {
      const { messages, total } = await store.list(WORKSPACE, filter, { number, size: SIZE });
      expect(total).toBe(expected.length);
      if (messages.length === 0) break;
      seen.push(...messages.map(({ id }) => id));
    }
    expect(seen).toEqual(expected.map(({ id }) => id));
  },
);
