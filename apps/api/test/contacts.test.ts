import { contact, contactList } from '@switchboard/contracts';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Service, ask, expectRefusal, shareService } from './start-service.ts';
import { type WorkspaceClient, clientOf } from './workspace-client.ts';

let service: Service;
let workspace: WorkspaceFixture;
let client: WorkspaceClient;

beforeAll(async () => {
  service = await shareService();
});
afterAll(() => service.close());
beforeEach(async () => {
  workspace = await service.addWorkspace();
  client = clientOf(service, workspace, workspace.sessionToken);
});

const ADA = { number: '+14155550123', name: 'Ada Lovelace', tags: ['customer'] };
const list = async (query = '') =>
  contactList.strict().parse((await client(`/contacts${query}`)).json);
const namesOf = async (query = '') => (await list(query)).data.map(({ name }) => name);

async function add(json: object): Promise<string> {
  const added = await client('/contacts', { json });
  expect(added.status).toBe(201);
  return contact.strict().parse(added.json).id;
}

test('a contact has a name, tags and fields, and a number has at most one contact', async () => {
  const id = await add({ ...ADA, name: ' Ada Lovelace ', fields: { City: 'London' } });
  expect((await client(`/contacts/${id}`)).json).toMatchObject({
    ...ADA,
    fields: { City: 'London' },
  });
  expectRefusal(await client('/contacts', { json: ADA }), 400, 'already_exists');

  const changed = await client(`/contacts/${id}`, {
    method: 'PATCH',
    json: { tags: ['vip', 'vip'], fields: { Plan: '=SUM(1)' } },
  });
  expect(changed.json).toMatchObject({ ...ADA, tags: ['vip'], fields: { Plan: '=SUM(1)' } });
  const grace = await add({ number: '+14155550124' });
  expectRefusal(
    await client(`/contacts/${grace}`, { method: 'PATCH', json: { number: ADA.number } }),
    400,
    'already_exists',
  );

  expect((await client(`/contacts/${id}`, { method: 'DELETE' })).json).toEqual({ ok: true });
  expectRefusal(await client(`/contacts/${id}`), 404, 'not_found');
});

test('an API key reads only the contacts of its workspace', async () => {
  await add(ADA);
  const other = await service.addWorkspace();
  const read = (token: string) => ask(service.url, '/api/contacts', { token });
  expect((await read(workspace.apiKey)).json).toMatchObject({ data: [ADA], next: null });
  expect((await read(other.apiKey)).json).toEqual({ data: [], next: null });
});

test.each([
  ['without a name for a field', { fields: { ' ': 'x' } }, 'fields'],
  [
    'with more than 20 fields',
    { fields: Object.fromEntries(ids(21).map((n) => [n, ''])) },
    'fields',
  ],
  ['with a field that is not text', { fields: { Age: 5 } }, 'fields.Age'],
  // A literal would set the prototype.
  [
    'with a field called __proto__',
    { fields: JSON.parse('{"__proto__":"x","City":"Oslo"}') as object },
    'fields.__proto__',
  ],
  ['with more than 20 tags', { tags: ids(21) }, 'tags'],
  [
    'with more than 9 other numbers',
    { other_numbers: ids(10).map((_, n) => `+1415555020${n}`) },
    'other_numbers',
  ],
  ['with a comma in a tag', { tags: ['a,b'] }, 'tags[0]'],
  ['with a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
  ['without a number', { number: 'Ada' }, 'number'],
])(
  'a contact %s is refused, and the error names the parameter',
  async (_what, change, parameter) => {
    const refused = await client('/contacts', { json: { ...ADA, ...change } });
    expectRefusal(refused, 400, 'invalid_params');
    expect(refused.json?.['detail']).toContain(`\`${parameter}\` must`);
  },
);

function ids(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `n${n}`);
}

test('contacts are listed by name in the language of the reader, and further pages keep the order of the first', async () => {
  for (const [n, name] of ['Åke', 'Zoe', 'adam', 'Östen', 'Olga'].entries()) {
    await add({ number: `+1415555020${n}`, name });
  }
  const read = async (language: string, query = '') => {
    const headers = { 'accept-language': language };
    const { status, json } = await client(`/contacts${query}`, { headers });
    expect(status).toBe(200);
    return contactList.strict().parse(json);
  };
  const names = async (language: string) =>
    (await read(language)).data.map(({ name }) => name).join(' ');
  expect(await names('sv-SE,sv;q=0.9,en;q=0.8')).toBe('adam Olga Zoe Åke Östen');
  expect(await names('tlh, de;q=0.5')).toBe('adam Åke Olga Östen Zoe');

  const first = await read('de', '?limit=2');
  const second = await read('sv', `?limit=3&after=${first.next}`);
  expect([...first.data, ...second.data].map(({ name }) => name).join(' ')).toBe(
    'adam Åke Olga Östen Zoe',
  );
  const forged = Buffer.from('["00000000-0000-0000-0000-000000000000","","x\\"; --"]');
  expect((await read('sv', `?after=${forged.toString('base64url')}`)).data).toEqual([]);
});

test('contacts are listed by name in pages, and a deleted contact does not break the next page', async () => {
  const names = ['Émile', 'ada', 'Bob', '', 'Cleo'];
  const added = [];
  for (const [n, name] of names.entries()) {
    added.push(await add({ number: `+1415555010${n}`, name }));
  }
  const all = await namesOf();
  expect(all.slice(0, 3)).toEqual(['ada', 'Bob', 'Cleo']);
  expect(all.at(-1)).toBe('');

  const first = await list('?limit=2');
  await client(`/contacts/${added[2]}`, { method: 'DELETE' });
  const second = await list(`?limit=2&after=${first.next}`);
  const third = await list(`?limit=2&after=${second.next}`);
  expect([first, second, third].flatMap(({ data }) => data.map(({ name }) => name))).toEqual(all);
  expect(third.next).toBeNull();
  for (const after of ['x', 'WzEsMl0', '%00']) {
    expectRefusal(await client(`/contacts?after=${after}`), 400, 'invalid_params');
  }
});

test.each([
  ['words in any order and case', 'LOVE ada', true],
  ['a part of a tag', 'custo', true],
  ['a part of a field', '48213', true],
  ['a national number', '(415) 555-0123', true],
  ['a part of a number', '5550123', true],
  ['digits that the number does not have', '5550124', false],
  ['a wildcard of the database', '%', false],
  ['one word that does not match', 'Ada Byron', false],
])('a search for %s finds exactly the matching contacts', async (_what, search, isFound) => {
  await add({ ...ADA, fields: { Order: 'No. 48213' } });
  expect(await namesOf(`?search=${encodeURIComponent(search)}`)).toEqual(isFound ? [ADA.name] : []);
});

test('contacts are found by their tag and by a list of numbers', async () => {
  await add(ADA);
  await add({ number: '+14155550124', name: 'Grace', tags: ['customers'] });
  expect(await namesOf('?tag=customer')).toEqual(['Ada Lovelace']);
  expect(await namesOf('?numbers=+14155550124,%2B14155550199')).toEqual(['Grace']);
});

test('an import adds contacts and keeps or updates existing ones, and a dry run changes nothing', async () => {
  const id = await add({ ...ADA, fields: { City: 'London', Plan: 'Free' } });
  const contacts = [
    { number: ADA.number, name: '', tags: ['vip'], fields: { Plan: 'Paid' } },
    { number: '+14155550124', name: 'Grace' },
  ];
  const run = async (options: object) =>
    (await client('/contacts/import', { json: { contacts, ...options } })).json?.['results'];
  const results = (first: string) => [
    { number: ADA.number, result: first, reason: null },
    { number: '+14155550124', result: 'created', reason: null },
  ];
  expect(await run({ existing: 'update', dry_run: true })).toEqual(results('updated'));
  expect(await namesOf()).toEqual(['Ada Lovelace']);
  expect(await run({ existing: 'keep' })).toEqual(results('kept'));
  expect((await client(`/contacts/${id}`)).json).toMatchObject(ADA);

  contacts.push({ number: '+14155550125', name: 'Joan' });
  await run({ existing: 'update' });
  expect((await client(`/contacts/${id}`)).json).toMatchObject({
    name: 'Ada Lovelace',
    tags: ['customer', 'vip'],
    fields: { City: 'London', Plan: 'Paid' },
  });
  expect(await namesOf('?search=vip')).toEqual(['Ada Lovelace']);
  expect(await namesOf()).toEqual(['Ada Lovelace', 'Grace', 'Joan']);
  const twice = { contacts: [ADA, ADA], existing: 'keep' };
  expectRefusal(await client('/contacts/import', { json: twice }), 400, 'invalid_params');
});

test('an export with spaced numbers has the same numbers, each with a space after its country code', async () => {
  const other_numbers = ['+48512345678', '+2250707123456'];
  await add({ ...ADA, other_numbers });
  const spaced = await client('/contacts/export.csv?numbers=spaced');
  expect(spaced.text.replace(/^\uFEFF/, '').split('\r\n')[1]).toBe(
    '+1 4155550123,Ada Lovelace,customer,"+48 512345678; +225 0707123456"',
  );
  const plain = await client('/contacts/export.csv?numbers=e164');
  expect(plain.text).toBe((await client('/contacts/export.csv')).text);
  expect(plain.text).toContain('+14155550123,');
  const refused = await client('/contacts/export.csv?numbers=national');
  expectRefusal(refused, 400, 'invalid_params', /`numbers` must be e164 or spaced/);
});

test('the export contains every contact, and no cell that a spreadsheet executes', async () => {
  const other_numbers = ['+14155550133', '+14155550134'];
  const fields = { Note: '=1+1', Quote: 'say "hi", now' };
  await add({ ...ADA, other_numbers, tags: ['a', 'b'], fields });
  await add({
    number: '+14155550124',
    name: '@Grace',
    fields: { Note: "'=1", Quote: '\u200B\u00A0=1' },
  });
  const exported = await client('/contacts/export.csv');
  expect(exported.status).toBe(200);
  expect(exported.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(exported.headers.get('content-disposition')).toContain('attachment');
  expect(exported.text.replace(/^\uFEFF/, '').split('\r\n')).toEqual([
    'number,name,tags,other_numbers,fields.Note,fields.Quote',
    "+14155550124,'@Grace,,,''=1,'\u200B\u00A0=1",
    `+14155550123,Ada Lovelace,"a; b","+14155550133; +14155550134",'=1+1,"say ""hi"", now"`,
    '',
  ]);
});
