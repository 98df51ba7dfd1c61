import { foldText, readWords, toWordPattern } from '@switchboard/core';
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

/** The texts, and searches that find each of them and no other. */
const TEXTS: readonly (readonly [string, ...string[]])[] = [
  ['สวัสดีครับ ขอบคุณ', 'สวัสดี', 'ขอบคุณ', 'ครับ'],
  ['ปวดหัวที่บ้าน', 'บ้าน'],
  ['ສະບາຍດີຕອນເຊົ້າ', 'ຕອນເຊົ້າ'],
  ['ខ្ញុំចង់កក់បន្ទប់', 'បន្ទប់', 'កក់'],
  ['မင်္ဂလာပါခင်ဗျာ', 'ခင်ဗျာ'],
  ['मुझे हिन्दी में संदेश भेजें', 'हिन्दी', 'संदेश', 'भेजें हिन्दी'],
  ['தமிழ் செய்தி', 'தமிழ்', 'செய்தி'],
  ['שָׁלוֹם לכם', 'שָׁלוֹם', 'שלום'],
  ['予約の確認をお願いします', '確認', '約', 'お願い 予約', '予約の確認'],
  ['我家在上海东边。', '上海', '东边'],
  ['예약확인 부탁드립니다', '확인', '예약'],
  ['ﾃﾞｰﾀを送信', 'データ', '送信'],
  ['请在10点到KTV门口', '10点', 'ktv', '门口'],
  ['Un h\u00f4tel', 'hotel', 'HO\u0302TEL'],
  ['Motel Hyatt', 'm\u00f4tel', 'hy\u00e4tt'],
  ['Caf\u00e9 cr\u00e8me', 'caf\u00e9', 'cafe\u0301', 'cre\u0300me', 'cafe'],
  ['Nai\u0308ve re\u0301sume\u0301', 'na\u00efve', 'r\u00e9sum\u00e9', 'resume'],
  [
    'Ti\u1ebfng Vi\u1ec7t Nguy\u1ec5n',
    'tie\u0302\u0301ng vie\u0323\u0302t',
    'TI\u1ebeNG',
    'nguyen',
  ],
  ['İstanbul’da IŞIK görüşürüz', 'istanbul', 'İSTANBUL', 'ışık', 'isik', 'gorusuruz'],
  ['ΟΔΟΣ Ερμού', 'ΟΔΟΣ', 'οδός', 'ερμου'],
  ['Die Stra\u00dfe ist nass', 'STRASSE', 'strasse', 'stra\u00dfe', 'stras'],
  ['KL\u00d6SSE um zw\u00f6lf', 'kl\u00f6\u00dfe', 'zwolf'],
  ['Witamy w \u0141odzi, \u0142\u00f3\u017cko', 'lodzi', 'lozko'],
  ['R\u00f8dgr\u00f8d med fl\u00f8de', 'rodgrod', 'fl\u00f8de'],
  ['كِتَابٌ جديد يا أحمد', 'كتاب', 'احمد', 'جَدِيد'],
  ['الرقم ٠٥٥١٢٣', '055123'],
  ['ＳＡＬＥ　１２３４', 'sale', '1234'],
  ['Пойдём на ёлку', 'пойдем', 'елку'],
  ['Danke f\u00fcr alles \u2764\ufe0f\u{1f44d}\u{1f3fd}', 'danke \u2764\ufe0f', 'fur'],
  ['Ruf an: +49 30 901820', '901820'],
];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url);
  workspace = await createWorkspaceFixture(testDatabase.url);
  // A chunk has 200 messages. The others have none of the words.
  const bodies = [...TEXTS.map(([text]) => text), ...Array<string>(200 - TEXTS.length).fill('Xyz')];
  await insert(bodies);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function insert(bodies: readonly string[]): Promise<void> {
  await database.pool.query(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
       created_at, updated_at, dispatch)
     SELECT uuid_v7(at), $1, 'inbound', '+15005550006', '+14155550100', body, 1, 'received', at, at, 'accepted'
     FROM unnest($2::text[]) WITH ORDINALITY AS t(body, n),
       LATERAL (SELECT now() - interval '1 day' + n * interval '1 second') AS times(at)`,
    [workspace.workspaceId, bodies],
  );
}

const searchFor = async (text: string): Promise<string[]> => {
  const { messages } = await createSearchMessages(database)(workspace.workspaceId, text, null);
  return messages.map(({ body }) => body);
};
const index = () => createIndexMessages(database)(60_000);

test('words of all scripts are found with and without accents, in any case and form of Unicode, and without spaces, before and after they are indexed', async () => {
  const find = async () => {
    const found: (readonly string[])[] = [];
    for (const [, ...words] of TEXTS) {
      for (const word of words) found.push([word, ...(await searchFor(word))]);
    }
    return found;
  };
  const expected = TEXTS.flatMap(([text, ...words]) => words.map((word) => [word, text]));
  expect(await find()).toEqual(expected);
  await index();
  const { rows } = await database.pool.query('SELECT FROM message_chunks');
  expect(rows).toHaveLength(1);
  expect(await find()).toEqual(expected);
  // The words in another spelling than before the index was written with this rule.
  await database.pool.query(`UPDATE message_chunks SET rule = 0, words = ''`);
  expect(await index()).toBe(false);
  expect(await find()).toEqual(expected);
});

test('PostgreSQL finds every character of Unicode by the text that it folds to, as JavaScript does', async () => {
  const characters: string[] = [];
  for (let code = 0x80; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    const folded = foldText(character);
    if (folded !== character && readWords(folded)[0] === folded) characters.push(character);
  }
  const byFolded = characters.toSorted((a, b) => (foldText(a) < foldText(b) ? -1 : 1));
  const { rows } = await database.pool.query<{ character: string }>(
    `SELECT character FROM unnest($1::text[], $2::text[]) AS t(character, pattern)
     WHERE character !~ pattern`,
    [byFolded, byFolded.map((each) => toWordPattern(foldText(each), 'postgresql'))],
  );
  expect(rows).toEqual([]);
});

test('200 long texts of different characters, whose words exceed what PostgreSQL stores, are indexed and found', async () => {
  workspace = await createWorkspaceFixture(testDatabase.url);
  const han = (at: number): string => String.fromCodePoint(0x4e00 + (at % 20_000));
  const long = (message: number): string =>
    Array.from({ length: 1_600 }, (_, n) => han(n * (message + 7) + message)).join('');
  await insert(Array.from({ length: 200 }, (_, message) => long(message)));
  expect(await index()).toBe(false);
  const { rows } = await database.pool.query<{ rule: number; bytes: number }>(
    'SELECT rule, pg_column_size(words) AS bytes FROM message_chunks WHERE workspace_id = $1',
    [workspace.workspaceId],
  );
  expect(rows).toEqual([{ rule: 1, bytes: expect.any(Number) }]);
  const text = long(123);
  expect(await searchFor(text.slice(800, 830))).toEqual([text]);
});

test.each([
  ['+14155550191', 'Zo\u00eb', 'zoe\u0308'],
  ['+14155550192', 'Jose\u0301', 'JOS\u00c9'],
  ['+14155550193', '\u304b\u3099\u304f', '\u304c\u304f'],
  ['+14155550194', 'J\u00fcrgen M\u00fcller', 'muller jurgen'],
  ['+14155550195', 'Hotel Mueller', 'h\u00f4tel'],
  ['+14155550196', '\u0141ukasz Wa\u0142\u0119sa', 'lukasz walesa'],
  ['+14155550197', '高橋 美咲', '美咲'],
  ['+14155550198', 'Gro\u00dfmann', 'GROSSMANN'],
  ['+14155550199', 'مُحَمَّد', 'محمد'],
  ['+14155550181', 'Full-width digits', '（４１５）５５５－０１８１'],
  ['+14155550182', 'Arabic digits', '٤١٥٥٥٥٠١٨٢'],
])('the contact %s with the name %j is found by %j', async (number, name, search) => {
  const contacts = createContactStore(database);
  const contact = { number, otherNumbers: [], name, fields: {}, tags: [] };
  await contacts.create(workspace.workspaceId, contact, new Date());
  const found = await contacts.list(workspace.workspaceId, { search }, { after: null, size: 10 });
  expect(found.contacts.map((each) => each.number)).toEqual([number]);
});
