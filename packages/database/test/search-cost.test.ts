import {
  type TestDatabase,
  type WorkspaceFixture,
  createTestDatabase,
  createWorkspaceFixture,
  openTestDatabase,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Database,
  createIndexMessages,
  createListMessages,
  createSearchMessages,
} from '../src/index.ts';
import { countRowsRead } from './count-rows-read.ts';

const MESSAGES = 20_000;
const CHUNK = 200;

let testDatabase: TestDatabase;
let database: Database;
let workspace: WorkspaceFixture;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  // One connection, so that a transaction of the test contains the statements of the search.
  database = openTestDatabase(testDatabase.url, { poolSize: 1 });
  workspace = await createWorkspaceFixture(testDatabase.url);
  // Each message has a number and a word of its own.
  await database.pool.query(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
       created_at, updated_at, dispatch)
     SELECT uuid_v7(at), $1, 'outbound', '+1202' || lpad(n::text, 7, '0'), '+15005550006',
       'Your table is booked, word' || lpad(n::text, 5, '0'), 1, 'delivered', at, at, 'accepted'
     FROM generate_series(1, $2::int) n, LATERAL (
       SELECT date_trunc('milliseconds', now() - interval '1 day' + n * interval '1 second')
     ) AS times(at)`,
    [workspace.workspaceId, MESSAGES],
  );
  await createIndexMessages(database)(60_000);
  await database.pool.query('VACUUM ANALYZE message_records');
  await database.pool.query('VACUUM ANALYZE message_chunks');
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function expectFewRowsRead(search: () => Promise<unknown>): Promise<void> {
  // The messages of the chunk, and those of the page.
  expect(await countRowsRead(database, 'message_records', search)).toBeLessThan(CHUNK + 20);
  // The newest chunk, which shows what is indexed, and the one with the words.
  expect(await countRowsRead(database, 'message_chunks', search)).toBeLessThanOrEqual(2);
}

/** PostgreSQL's default, which favors reading whole tables, and the value for fast disks. */
const COSTS = [4, 1.1];

test.each(
  COSTS.flatMap((cost) => [
    ['the last digits of a number', cost, '001 2345', '+12020012345'] as const,
    ['a whole number in another notation', cost, '(202) 001-2345', '+12020012345'] as const,
    ['the beginning of a rare word', cost, 'word1234', '+12020012349'] as const,
    ['several words, one of which is rare', cost, 'booked word12345', '+12020012345'] as const,
  ]),
)(
  'a search for %s reads the messages of one chunk of 20,000 messages, and no other chunk, at a random_page_cost of %d',
  async (_what, cost, text, to) => {
    await database.pool.query(`SET random_page_cost = ${cost}`);
    const search = createSearchMessages(database);
    const { messages } = await search(workspace.workspaceId, text, null);
    expect(messages[0]?.to).toBe(to);
    await expectFewRowsRead(() => search(workspace.workspaceId, text, null));
  },
);

test.each(COSTS)(
  'a search of the list for the last digits of a number reads the messages of one chunk of 20,000 messages, at a random_page_cost of %d',
  async (cost) => {
    await database.pool.query(`SET random_page_cost = ${cost}`);
    const list = createListMessages(database);
    const page = { number: 1, size: 20 };
    const search = () => list(workspace.workspaceId, { search: '001 2345' }, page);
    expect((await search()).total).toBe(1);
    await expectFewRowsRead(search);
  },
);
