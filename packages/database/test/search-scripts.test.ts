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
  createContactStore,
  createIndexMessages,
  createSearchMessages,
} from '../src/index.ts';

let testDatabase: TestDatabase;
let database: Database;
let workspace: WorkspaceFixture;

/** The texts, and searches that find each of them. */
const TEXTS: readonly (readonly [string, ...string[]])[] = [
  ['สวัสดีครับ ขอบคุณ', 'สวัสดี', 'ขอบคุณ'],
  ['मुझे हिन्दी में संदेश भेजें', 'हिन्दी', 'संदेश', 'भेजें हिन्दी'],
  ['தமிழ் செய்தி', 'தமிழ்', 'செய்தி'],
  ['שָׁלוֹם לכם', 'שָׁלוֹם'],
  ['Caf\u00e9 cr\u00e8me', 'caf\u00e9', 'cafe\u0301', 'cre\u0300me'],
  ['Nai\u0308ve re\u0301sume\u0301', 'na\u00efve', 'r\u00e9sum\u00e9'],
  ['Ti\u1ebfng Vi\u1ec7t', 'tie\u0302\u0301ng vie\u0323\u0302t', 'TI\u1ebeNG'],
  ['İstanbul’da görüşürüz', 'istanbul', 'İSTANBUL'],
  ['ΟΔΟΣ Ερμού', 'ΟΔΟΣ'],
  ['Danke f\u00fcr alles', 'danke \u2764\ufe0f'],
];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url);
  workspace = await createWorkspaceFixture(testDatabase.url);
  // A chunk has 200 messages. The others have none of the words.
  const bodies = [...TEXTS.map(([text]) => text), ...Array<string>(200 - TEXTS.length).fill('Xyz')];
  await database.pool.query(
    `INSERT INTO messages (id, workspace_id, direction, "to", "from", body, segments, status,
       created_at, updated_at, dispatch)
     SELECT uuid_v7(at), $1, 'inbound', '+15005550006', '+14155550100', body, 1, 'received', at, at, 'accepted'
     FROM unnest($2::text[]) WITH ORDINALITY AS t(body, n),
       LATERAL (SELECT now() - interval '1 day' + n * interval '1 second') AS times(at)`,
    [workspace.workspaceId, bodies],
  );
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

test('words with combining marks, in either form of Unicode, and capitals of any script are found before and after they are indexed', async () => {
  const search = createSearchMessages(database);
  const find = async () => {
    const found: (readonly string[])[] = [];
    for (const [, ...words] of TEXTS) {
      for (const word of words) {
        const { messages } = await search(workspace.workspaceId, word, null);
        found.push([word, ...messages.map(({ body }) => body)]);
      }
    }
    return found;
  };
  const expected = TEXTS.flatMap(([text, ...words]) => words.map((word) => [word, text]));
  expect(await find()).toEqual(expected);
  await createIndexMessages(database)(60_000);
  const { rows } = await database.pool.query('SELECT FROM message_chunks');
  expect(rows).toHaveLength(1);
  expect(await find()).toEqual(expected);
});

test.each([
  ['+14155550191', 'Zo\u00eb', 'zoe\u0308'],
  ['+14155550192', 'Jose\u0301', 'JOS\u00c9'],
  ['+14155550193', '\u304b\u3099\u304f', '\u304c\u304f'],
])('the contact %s with the name %j is found by %j', async (number, name, search) => {
  const contacts = createContactStore(database);
  const contact = { number, otherNumbers: [], name, fields: {}, tags: [] };
  await contacts.create(workspace.workspaceId, contact, new Date());
  const found = await contacts.list(workspace.workspaceId, { search }, { after: null, size: 10 });
  expect(found.contacts.map((each) => each.number)).toEqual([number]);
});
