import {
  type TestDatabase,
  type WorkspaceFixture,
  createTestDatabase,
  createWorkspaceFixture,
  openTestDatabase,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, createContactStore } from '../src/index.ts';

let testDatabase: TestDatabase;
let database: Database;
let workspace: WorkspaceFixture;

const NAMES = ['Zoe', 'Åke', 'adam', 'Östen', 'Adam', 'Olga', 'Árpád', 'chata', 'Cyril', 'Ivo', ''];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url);
  workspace = await createWorkspaceFixture(testDatabase.url);
  const contacts = [...NAMES, 'Zoe'].map((name, n) => ({
    number: `+1415555${1000 + n}`,
    otherNumbers: [],
    name,
    fields: {},
    tags: [],
  }));
  const options = { existing: 'keep' as const, isDryRun: false, at: new Date() };
  await createContactStore(database).import(workspace.workspaceId, contacts, options);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Reads pages of `size`; all but the first as another person, whose language does not matter. */
async function listNames(languages: string[], size: number): Promise<string[]> {
  const { list } = createContactStore(database);
  const names: string[] = [];
  let page = await list(workspace.workspaceId, {}, { after: null, size, languages });
  for (;;) {
    names.push(...page.contacts.map(({ name }) => name));
    if (page.next === null) return names;
    page = await list(workspace.workspaceId, {}, { after: page.next, size, languages: ['cs'] });
  }
}

test.each([
  [
    'sv-SE',
    ['adam', 'Adam', 'Árpád', 'chata', 'Cyril', 'Ivo', 'Olga', 'Zoe', 'Zoe', 'Åke', 'Östen', ''],
  ],
  [
    'de-DE',
    ['adam', 'Adam', 'Åke', 'Árpád', 'chata', 'Cyril', 'Ivo', 'Olga', 'Östen', 'Zoe', 'Zoe', ''],
  ],
  [
    'cs',
    ['adam', 'Adam', 'Åke', 'Árpád', 'Cyril', 'chata', 'Ivo', 'Olga', 'Östen', 'Zoe', 'Zoe', ''],
  ],
])(
  'contacts are sorted by name as in the language %s, on pages of any size, each once',
  async (language, expected) => {
    expect(await listNames([language, 'en'], 50)).toEqual(expected);
    expect(await listNames([language], 1)).toEqual(expected);
    expect(await listNames(['tlh', 'not a language', language], 5)).toEqual(expected);
  },
);

test('without a known language, contacts are sorted by their lower-case letters, each once', async () => {
  const sorted = await listNames([], 50);
  expect(sorted.toSorted()).toEqual([...NAMES, 'Zoe'].toSorted());
  expect(sorted.at(-1)).toBe('');
  expect(await listNames(['*'], 1)).toEqual(sorted);
});
