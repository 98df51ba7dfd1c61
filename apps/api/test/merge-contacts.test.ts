import { type Contact, contact } from '@switchboard/contracts';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Service, expectRefusal, shareService } from './start-service.ts';
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

const ADA = { number: '+14155550123', name: 'Ada', tags: ['customer'], fields: { City: 'London' } };
const BYRON = {
  number: '+14155550124',
  other_numbers: ['+14155550125'],
  name: 'Ada Byron',
  tags: ['vip'],
  fields: { City: 'Paris', Plan: 'Paid' },
};

const add = async (json: object): Promise<Contact> =>
  contact.strict().parse((await client('/contacts', { json })).json);
const merge = (into: { id: string }, json: object) =>
  client(`/contacts/${into.id}/merge`, { json });
const list = async (query = '') =>
  (await client(`/contacts${query}`)).json?.['data'] as readonly Contact[];
const named = (start: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${start}${n}`);

test('a merge combines numbers, tags and fields, keeps one contact, and records who merged the contacts', async () => {
  const [ada, byron] = [await add(ADA), await add(BYRON)];
  const merged = await merge(ada, { contact_id: byron.id });
  expect(merged.status).toBe(200);
  const joined = {
    id: ada.id,
    number: ADA.number,
    other_numbers: [BYRON.number, '+14155550125'],
    name: 'Ada',
    tags: ['customer', 'vip'],
    fields: { City: 'London', Plan: 'Paid' },
  };
  expect(merged.json).toMatchObject(joined);
  expect(await list()).toMatchObject([joined]);
  expectRefusal(await client(`/contacts/${byron.id}`), 404, 'not_found');
  expect((await client('/audit')).json).toMatchObject({
    data: expect.arrayContaining([
      expect.objectContaining({
        action: 'contact.merged',
        target: ada.id,
        detail: { number: ADA.number, merged_number: BYRON.number },
      }),
    ]),
  });
});

test('a merge stores the values that the request gives', async () => {
  const [ada, byron] = [await add(ADA), await add(BYRON)];
  const decided = {
    number: BYRON.number,
    other_numbers: [ADA.number],
    name: 'Countess of Lovelace',
    tags: [],
    fields: { City: 'Paris' },
  };
  const merged = await merge(ada, { contact_id: byron.id, ...decided });
  expect(merged.json).toMatchObject({ id: ada.id, ...decided });
  expect(await list('?numbers=+14155550125')).toEqual([]);
});

test('a contact is found by each of its numbers, and names each of their conversations', async () => {
  const byron = await add(BYRON);
  for (const search of ['?numbers=+14155550125', '?search=(415) 555-0125', '?search=0125']) {
    expect(await list(search.replaceAll('+', '%2B').replaceAll(' ', '%20'))).toMatchObject([
      { id: byron.id },
    ]);
  }
  await client('/numbers', { json: { number: '+15005550006' } });
  await client('/messages', { json: { to: '+14155550125', body: 'Hello' } });
  const conversations = await client('/conversations?search=Byron');
  expect(conversations.json).toMatchObject({
    data: [{ number: '+14155550125', contact: { id: byron.id, number: BYRON.number } }],
  });
});

test('no two contacts have the same number, whether as their first or as another number', async () => {
  const ada = await add(ADA);
  await add(BYRON);
  for (const change of [
    { number: '+14155550125' },
    { other_numbers: [BYRON.number] },
    { other_numbers: ['+14155550125'] },
  ]) {
    const refused = await client(`/contacts/${ada.id}`, { method: 'PATCH', json: change });
    expectRefusal(refused, 400, 'already_exists');
    const added = await client('/contacts', { json: { number: '+14155550199', ...change } });
    expectRefusal(added, 400, 'already_exists');
  }
  const own = { number: BYRON.number, other_numbers: [BYRON.number] };
  expectRefusal(await client('/contacts', { json: own }), 400, 'already_exists');
});

test('a refused merge has an error with the reason and changes nothing', async () => {
  const ada = await add({ ...ADA, tags: named('a', 15) });
  const byron = await add({ ...BYRON, tags: named('b', 15) });
  const foreign = clientOf(service, await service.addWorkspace(), workspace.sessionToken);
  expectRefusal(await foreign(`/contacts/${ada.id}/merge`, { json: {} }), 403, 'forbidden');
  const before = await list();
  for (const [json, parameter] of [
    [{ contact_id: byron.id }, 'tags'],
    [{ contact_id: ada.id }, 'contact_id'],
    [{ contact_id: workspace.workspaceId }, 'contact_id'],
    [{ contact_id: byron.id, tags: [], number: '+14155550199' }, 'number'],
    [{ contact_id: byron.id, tags: [], other_numbers: ['+14155550199'] }, 'other_numbers'],
  ] as const) {
    const refused = await merge(ada, json);
    expectRefusal(refused, 400, 'invalid_params');
    expect(refused.json?.['detail']).toContain(`\`${parameter}\``);
  }
  expectRefusal(
    await merge({ id: workspace.workspaceId }, { contact_id: ada.id }),
    404,
    'not_found',
  );
  expect(await list()).toEqual(before);
  const chosen = await merge(ada, { contact_id: byron.id, tags: ['kept'] });
  expect(chosen.json).toMatchObject({ tags: ['kept'] });
});

test('two concurrent merges of the same contacts leave one contact with all numbers', async () => {
  const [ada, byron] = [await add(ADA), await add(BYRON)];
  const responses = await Promise.all([
    merge(ada, { contact_id: byron.id }),
    merge(byron, { contact_id: ada.id }),
  ]);
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  const [left, ...others] = await list();
  expect(others).toEqual([]);
  const numbers = new Set([left?.number, ...(left?.other_numbers ?? [])]);
  expect(numbers).toEqual(new Set([ADA.number, BYRON.number, '+14155550125']));
});

test('an import refuses a contact that would exceed a limit or take a number, and stores the others', async () => {
  await add({ ...ADA, tags: named('a', 15), fields: { ...fieldsOf(15, 'a') } });
  await add(BYRON);
  const run = async (contacts: object[], isDryRun: boolean) =>
    (
      await client('/contacts/import', {
        json: { contacts, existing: 'update', dry_run: isDryRun },
      })
    ).json?.['results'];
  const rows = [
    { number: ADA.number, name: 'Changed', tags: named('b', 6) },
    { number: '+14155550130', other_numbers: ['+14155550125'] },
    { number: '+14155550131', name: 'Grace', other_numbers: ['+14155550132'] },
    // Grace again, by her other number.
    { number: '+14155550132', tags: ['navy'] },
    { number: '+14155550125', fields: { Plan: 'Free' } },
  ];
  const expected = [
    { number: ADA.number, result: 'refused', reason: 'too_many_tags' },
    { number: '+14155550130', result: 'refused', reason: 'number_exists' },
    { number: '+14155550131', result: 'created', reason: null },
    { number: '+14155550132', result: 'updated', reason: null },
    { number: '+14155550125', result: 'updated', reason: null },
  ];
  expect(await run(rows, true)).toEqual(expected);
  expect(await list()).toHaveLength(2);
  expect(await run(rows, false)).toEqual(expected);
  expect(await list()).toMatchObject([
    { name: 'Ada', tags: named('a', 15) },
    { number: BYRON.number, fields: { City: 'Paris', Plan: 'Free' } },
    { number: '+14155550131', other_numbers: ['+14155550132'], tags: ['navy'] },
  ]);
  expect(await run([{ number: ADA.number, fields: fieldsOf(6, 'b') }], false)).toMatchObject([
    { reason: 'too_many_fields' },
  ]);
});

const fieldsOf = (count: number, start: string): Record<string, string> =>
  Object.fromEntries(named(start, count).map((name) => [name, 'x']));
