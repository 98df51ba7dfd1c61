import { randomUUID } from 'node:crypto';
import { createUuidV7 } from '@switchboard/core';
import {
  type TestDatabase,
  type WorkspaceFixture,
  createTestDatabase,
  createWorkspaceFixture,
  openTestDatabase,
} from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Database,
  createIndexMessages,
  createListMessages,
  createMessageStore,
  createSearchMessages,
  type MessageFilter,
  withRetention,
} from '../src/index.ts';
import { readTerms } from '../src/messages/search/read-terms.ts';
import { PLAIN_TEXT } from './plain-text.ts';

const LONG_MS = 60_000;

let testDatabase: TestDatabase;
let database: Database;
let workspace: WorkspaceFixture;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url);
});
beforeEach(async () => {
  workspace = await createWorkspaceFixture(testDatabase.url);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/**
 * Inserts messages of `number`, one per second from `hoursAgo` on. Each `body` gets its number from
 * 1 on.
 */
async function insert(
  body: string,
  { count = 1, hoursAgo = 1, number = '+14155550100', direction = 'inbound' } = {},
): Promise<void> {
  await database.pool.query(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
       created_at, updated_at, dispatch)
     SELECT uuid_v7(at), $1, $5::direction, CASE $5 WHEN 'inbound' THEN '+15005550006' ELSE $6 END,
       CASE $5 WHEN 'inbound' THEN $6 ELSE '+15005550006' END,
       $2 || ' ' || n, 1, 'received', at, at, 'accepted'
     FROM generate_series(1, $3::int) n, LATERAL (
       SELECT date_trunc('milliseconds', now() - $4::int * interval '1 hour' + n * interval '1 second')
     ) AS times(at)`,
    [workspace.workspaceId, body, count, hoursAgo, direction, number],
  );
}

/** Stores a message as one that is found in the provider's list. */
async function receiveLate(body: string, hoursAgo: number): Promise<void> {
  const createdAt = new Date(Date.now() - hoursAgo * 3_600_000 + 50_000);
  const store = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 60_000 });
  const received = await store.receive(
    {
      id: createUuidV7(createdAt.getTime()),
      createdAt,
      isLate: true,
      workspaceId: workspace.workspaceId,
      providerId: workspace.providerId,
      vendorAccountId: 'AC1',
      providerSid: randomUUID(),
      to: '+15005550006',
      from: '+14155550199',
      body,
      media: [],
      segments: 1,
      requestId: 'late',
      traceParent: null,
    },
    PLAIN_TEXT,
  );
  expect(received).not.toBeNull();
}

async function search(text: string): Promise<string[]> {
  const searchMessages = createSearchMessages(database);
  const bodies: string[] = [];
  let after: string | null = null;
  do {
    const page = await searchMessages(workspace.workspaceId, text, after);
    bodies.push(...page.messages.map(({ body }) => body));
    after = page.next;
  } while (after !== null);
  return bodies;
}

const index = () => createIndexMessages(database)(LONG_MS);
const countChunks = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM message_chunks WHERE workspace_id = $1',
    [workspace.workspaceId],
  );
  return rows[0]?.count ?? 0;
};

test.each([
  ['the beginnings of words in any order and case', 'BRAK rear', true],
  ['a word in the middle of a word', 'rake', false],
  ['words one of which is in no message', 'rear wheel', false],
  ['letters outside ASCII', 'größ', true],
  ['punctuation around the words', '"Rear"; brake!', true],
  ['a wildcard of the database', '%', false],
  ['an expression of the database', '.*', false],
  ['the last digits of a number in national notation', '(0415) 555-0177', true],
  ['digits at the end of no number', '41555', false],
])(
  'a search for %s finds the same messages before and after they are indexed',
  async (_what, text, isFound) => {
    const found = isFound ? ['Größe of the rear brake? 1'] : [];
    await insert('Größe of the rear brake?', { number: '+14155550177', hoursAgo: 3 });
    await insert('Nothing else', { count: 199, hoursAgo: 2 });
    expect(await search(text)).toEqual(found);
    expect(await index()).toBe(false);
    expect(await countChunks()).toBe(1);
    expect(await search(text)).toEqual(found);
  },
);

test('a search finds a short code by its digits before and after its messages are indexed', async () => {
  await insert('Your code', { count: 200, number: '72345' });
  expect((await search('2345')).length).toBe(200);
  await index();
  expect(await countChunks()).toBe(1);
  expect((await search('2345')).length).toBe(200);
});

test('a search finds messages across pages, chunks and those not yet indexed, newest first and once', async () => {
  await insert('rare old', { count: 120, hoursAgo: 9 });
  await insert('filler', { count: 900, hoursAgo: 6 });
  await insert('rare', { count: 30, hoursAgo: 3 });
  await index();
  expect(await countChunks()).toBe(5);
  await insert('rare new', { count: 60, hoursAgo: 1 });
  const expected = [
    ...Array.from({ length: 60 }, (_, n) => `rare new ${60 - n}`),
    ...Array.from({ length: 30 }, (_, n) => `rare ${30 - n}`),
    ...Array.from({ length: 120 }, (_, n) => `rare old ${120 - n}`),
  ];
  expect(await search('rare')).toEqual(expected);
  expect(await search('old rare')).toEqual(expected.slice(90));
});

test('a search continues past thousands of messages that are not indexed yet', async () => {
  await insert('needle', { hoursAgo: 9 });
  await insert('hay', { count: 6_000, hoursAgo: 3 });
  expect(await search('needle')).toEqual(['needle 1']);
});

test('the search of the list finds the same messages before and after they are indexed, with filters and a total', async () => {
  await insert('brake', { count: 150, hoursAgo: 4, direction: 'outbound' });
  await insert('brake pad', { count: 150, hoursAgo: 3, number: '+442079460958' });
  await insert('filler', { count: 100, hoursAgo: 2 });
  const list = createListMessages(database);
  const filters: MessageFilter[] = [
    { search: 'brake' },
    { search: 'pad brake', direction: 'inbound' },
    { search: 'brake', direction: 'outbound' },
    { search: '7946 0958' },
    { search: 'brake', from: ['+442079460958'], status: ['received'] },
    { search: 'brake', countryCode: ['44'] },
    { search: 'brake', status: ['failed'] },
  ];
  const read = async () => {
    const page = { number: 2, size: 40 };
    const pages = await Promise.all(
      filters.map((filter) => list(workspace.workspaceId, filter, page)),
    );
    return pages.map(({ messages, total }) => [total, messages.map(({ body }) => body)]);
  };
  const before = await read();
  expect(before.map(([total]) => total)).toEqual([300, 150, 150, 150, 150, 150, 0]);
  expect(before[1]?.[1]).toEqual(Array.from({ length: 40 }, (_, n) => `brake pad ${110 - n}`));
  await index();
  expect(await countChunks()).toBe(2);
  expect(await read()).toEqual(before);
});

test('a deleted message is not found, whether its words are still in a chunk or not', async () => {
  await insert('deleted', { count: 3, hoursAgo: 3 });
  await insert('kept', { count: 197, hoursAgo: 2 });
  await index();
  expect(await search('deleted')).toEqual(['deleted 3', 'deleted 2', 'deleted 1']);
  await database.pool.query(
    `DELETE FROM message_records WHERE workspace_id = $1 AND body LIKE 'deleted%'`,
    [workspace.workspaceId],
  );
  expect(await search('deleted')).toEqual([]);
  expect((await search('kept')).length).toBe(197);
  const listed = await createListMessages(database)(
    workspace.workspaceId,
    { search: 'deleted' },
    { number: 1, size: 10 },
  );
  expect(listed).toEqual({ messages: [], total: 0 });
  await withRetention(database, (store) =>
    store.trimChunks({ mode: 'live', before: new Date(), limit: 100 }),
  );
  const readChunkWords = async () => {
    const { rows } = await database.pool.query<{ words: string }>(
      'SELECT words::text AS words FROM message_chunks WHERE workspace_id = $1',
      [workspace.workspaceId],
    );
    return rows[0]?.words;
  };
  expect(await readChunkWords()).not.toContain('deleted');
  expect((await search('kept')).length).toBe(197);
  await index();
  expect(await readChunkWords()).toContain('kept');
  expect(await readChunkWords()).not.toContain('deleted');
  expect((await search('kept')).length).toBe(197);
});

test('the words of one workspace are not found in another', async () => {
  await insert('secret', { count: 200 });
  await index();
  workspace = await createWorkspaceFixture(testDatabase.url);
  await insert('other', { count: 200 });
  await index();
  expect(await search('secret')).toEqual([]);
});

test.each([
  ['before all indexed messages', 5],
  ['between two chunks', 3.5],
  ['among the messages of a chunk', 3],
])('a message that is received late, %s, is found immediately', async (_where, hoursAgo) => {
  await insert('word', { count: 200, hoursAgo: 4 });
  await insert('word', { count: 200, hoursAgo: 3 });
  await index();
  expect(await countChunks()).toBe(2);
  await receiveLate('Spät received', hoursAgo);
  expect(await countChunks()).toBe(2);
  expect(await search('spät')).toEqual(['Spät received']);
  expect(await search('415 555 0199')).toEqual(['Spät received']);
  expect((await search('word')).length).toBe(400);
  expect(await index()).toBe(false);
  const { rows } = await database.pool.query('SELECT FROM message_chunks WHERE rule = 0');
  expect(rows).toEqual([]);
  expect(await search('spat')).toEqual(['Spät received']);
  expect((await search('word')).length).toBe(400);
});

test('messages of the last minutes are not indexed, because a message with a lower id may still be stored', async () => {
  await insert('fresh', { count: 200, hoursAgo: 0 });
  await index();
  expect(await countChunks()).toBe(0);
  expect((await search('fresh')).length).toBe(200);
});

test('two processes that index at the same time write each chunk once', async () => {
  await insert('word', { count: 1_000 });
  await Promise.all([index(), index()]);
  expect(await countChunks()).toBe(5);
  expect((await search('word')).length).toBe(1_000);
});

test('the text of a search is read as words and as the digits of a number', () => {
  expect(readTerms('Rear  brake, rear!')).toEqual({ words: ['rear', 'brake'], digits: null });
  expect(readTerms('030 1234')).toEqual({ words: ['030', '1234'], digits: '301234' });
  expect(readTerms('?!')).toEqual({ words: [], digits: null });
});
