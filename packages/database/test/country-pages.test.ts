import {
  EVENTUALLY,
  type TestDatabase,
  createTestDatabase,
  openTestDatabase,
  updateMessages,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type Database,
  type MessageFilter,
  createListMessages,
  createReadMessagesAfter,
} from '../src/index.ts';
import { countRowsRead } from './count-rows-read.ts';

const WORKSPACE = '01900000-0000-7000-8000-000000000001';
const MESSAGES = 8_000;
const SIZE = 40;

let testDatabase: TestDatabase;
let database: Database;
/** The newest messages come first. */
let rows: Row[];

interface Row {
  id: string;
  other: string;
  direction: string;
  status: string;
}

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url, { poolSize: 1 });
  // Most numbers have the country code 1. 44 is among the newest too, 39 only among the oldest messages, and none
  // has 3 or 4. The last digit 9 is the end of a range of the index.
  const inserted = await database.pool.query<Row>(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
       created_at, updated_at, dispatch)
     SELECT uuid_v7(at), $1, direction::direction,
       CASE direction WHEN 'inbound' THEN '+15550000001' ELSE other END,
       CASE direction WHEN 'inbound' THEN other ELSE '+15550000001' END, 'Text', 1,
       (CASE WHEN n % 3 = 0 THEN 'failed' ELSE 'delivered' END)::message_status, at, at, 'accepted'
     FROM (
       SELECT n, date_trunc('milliseconds', now() - interval '1 day' + n * interval '1 second') AS at,
         CASE WHEN n % 4 = 0 THEN 'inbound' ELSE 'outbound' END AS direction,
         CASE WHEN n % 100 < 2 AND n <= 2000 THEN '+39' || lpad((n * 997)::text, 9, '9')
           WHEN n % 50 = 5 THEN '+442' || lpad(n::text, 9, '0')
           ELSE '+1202' || lpad(n::text, 7, '0') END AS other
       FROM generate_series(1, $2::int) n
     ) generated
     RETURNING id, direction, status,
       CASE direction WHEN 'inbound' THEN "from" ELSE "to" END AS other`,
    [WORKSPACE, MESSAGES],
  );
  await updateMessages(database.pool, {
    set: 'due_at = now()',
    where: `direction = 'outbound' AND hashtext(id::text) % 5 = 0`,
  });
  rows = inserted.rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  // A page counts as visible only if no transaction of the database is older, not even one of autovacuum.
  await vi.waitUntil(async () => {
    await database.pool.query('VACUUM ANALYZE message_records');
    const visible = `SELECT FROM pg_class WHERE oid = 'message_records'::regclass AND relallvisible = relpages`;
    return (await database.pool.query(visible)).rowCount === 1;
  }, EVENTUALLY);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const FILTERS: [filter: MessageFilter, matches: (row: Row) => boolean][] = [
  [{ countryCode: ['1'] }, ({ other }) => other.startsWith('+1')],
  [{ countryCode: ['44'] }, ({ other }) => other.startsWith('+44')],
  [{ countryCode: ['39'] }, ({ other }) => other.startsWith('+39')],
  [{ countryCode: ['39', '44'] }, ({ other }) => /^\+(39|44)/.test(other)],
  [{ countryCode: ['3', '4'] }, ({ other }) => /^\+[34]/.test(other)],
  [{ countryCode: ['49'] }, () => false],
  [
    { countryCode: ['39'], direction: 'inbound' },
    ({ other, direction }) => other.startsWith('+39') && direction === 'inbound',
  ],
  [
    { countryCode: ['39'], direction: 'outbound', status: ['failed'] },
    ({ other, direction, status }) =>
      other.startsWith('+39') && direction === 'outbound' && status === 'failed',
  ],
  [
    { countryCode: ['44'], status: ['failed', 'read'] },
    ({ other, status }) => other.startsWith('+44') && status === 'failed',
  ],
];

test.each(FILTERS)(
  'every page and the total of %j have exactly the matching messages, including those before the newest 5,000',
  async (filter, matches) => {
    const expected = rows.filter(matches).map(({ id }) => id);
    const list = createListMessages(database);
    for (const number of [1, 2, 3]) {
      const page = await list(WORKSPACE, filter, { number, size: SIZE });
      expect(page.total).toBe(expected.length);
      expect(page.messages.map(({ id }) => id)).toEqual(
        expected.slice((number - 1) * SIZE, number * SIZE),
      );
    }
    const readAfter = createReadMessagesAfter(database);
    const read: string[] = [];
    let after: string | null = null;
    do {
      const page = await readAfter(WORKSPACE, filter, { after, size: 2_000 });
      read.push(...page.map(({ id }) => id));
      after = page.length === 2_000 ? (page.at(-1)?.id ?? null) : null;
    } while (after !== null);
    expect(read).toEqual(expected);
  },
);

test('counting the messages of a country reads only the entries of an index, and no messages', async () => {
  const list = createListMessages(database);
  const count = () => list(WORKSPACE, { countryCode: ['1'] }, { number: 1_000, size: SIZE });
  expect((await count()).total).toBeGreaterThan(7_000);
  expect(await countRowsRead(database, 'message_records', count)).toBe(0);
});
