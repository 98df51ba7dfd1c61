import {
  type TestDatabase,
  type WorkspaceFixture,
  createTestDatabase,
  createWorkspaceFixture,
  openTestDatabase,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, createListConversations } from '../src/index.ts';
import { countRowsRead } from './count-rows-read.ts';

const CONTACTS = 20_000;
const CONVERSATIONS = 50;
/** One of the conversations has this other number of a contact. */
const OTHER_NUMBER = '+13035550007';

let testDatabase: TestDatabase;
let database: Database;
let workspace: WorkspaceFixture;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  // One connection, so that a transaction of the test contains the statements of the list.
  database = openTestDatabase(testDatabase.url, { poolSize: 1 });
  workspace = await createWorkspaceFixture(testDatabase.url);
  const { workspaceId } = workspace;
  // The plan depends on neither the time of a vacuum nor a random sample: all contacts are alike.
  await database.pool.query('ALTER TABLE contacts SET (autovacuum_enabled = false)');
  await database.pool.query(
    `INSERT INTO contacts (id, workspace_id, number, other_numbers, name, fields, search_text,
       created_at, updated_at)
     SELECT uuid_v7(now()), $1, '+1202' || lpad(n::text, 7, '0'),
       CASE WHEN n = 1 THEN ARRAY[$3::text] ELSE '{}' END, 'Contact ' || n,
       jsonb_build_object('address', repeat('Main Street ', 20)), 'contact ' || n, now(), now()
     FROM generate_series(1, $2::int) n`,
    [workspaceId, CONTACTS, OTHER_NUMBER],
  );
  await database.pool.query('ANALYZE contacts');
  await database.pool.query(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
       created_at, updated_at, dispatch)
     SELECT uuid_v7(at), $1, 'inbound', '+15005550006', '+1303555' || lpad(n::text, 4, '0'), 'Hello',
       1, 'received', at, at, 'accepted'
     FROM generate_series(1, $2::int) n, LATERAL (
       SELECT date_trunc('milliseconds', now() - interval '1 day' + n * interval '1 second')
     ) AS times(at)`,
    [workspaceId, CONVERSATIONS],
  );
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** PostgreSQL's default, which favors reading whole tables, and the value for fast disks. */
test.each([4, 1.1])(
  'a page of conversations reads only the contacts with its numbers, of 20,000 in the workspace, at a random_page_cost of %d',
  async (cost) => {
    await database.pool.query(`SET random_page_cost = ${cost}`);
    const list = createListConversations(database);
    const read = () => list(workspace.workspaceId, {}, null);
    const { conversations } = await read();
    expect(conversations).toHaveLength(CONVERSATIONS);
    expect(conversations.flatMap(({ contact }) => contact?.name ?? [])).toEqual(['Contact 1']);
    // Only the contact that has one of the numbers.
    expect(await countRowsRead(database, 'contacts', read)).toBe(1);
  },
);
