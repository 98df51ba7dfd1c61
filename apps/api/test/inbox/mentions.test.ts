import { note, noteList } from '@switchboard/contracts';
import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../start-service.ts';
import { addPerson } from '../workspace-client.ts';
import { ADA, client, receive, service, useInbox, workspace } from './environment.ts';

useInbox();

const path = `/conversations/${ADA}/notes`;

const rename = (userId: string, name: string) =>
  service.sql('UPDATE users SET name = $2 WHERE id = $1', [userId, name]);

async function addMember(name: string): Promise<string> {
  const { userId } = await addPerson(service, workspace, 'member');
  await rename(userId, name);
  return userId;
}

async function write(json: object) {
  const response = await client(path, { json });
  expect(response.status).toBe(201);
  return note.strict().parse(response.json);
}

async function read() {
  const response = await client(path);
  expect(response.status).toBe(200);
  const [latest] = noteList.strict().parse(response.json).data;
  if (latest === undefined) throw new Error('The conversation has no note.');
  return latest;
}

describe('mentions in the text of a note', () => {
  test('the text shows the current names of mentioned members, at their new places', async () => {
    const [ann, noa] = [await addMember('Ann'), await addMember('נועה לוי')];
    await receive(ADA);
    const body = 'Ask @ann, then @נועה לוי. Ann knows; mail ann@Ann.example';
    const written = await write({ body, mentions: [ann, noa] });
    expect(written.body).toBe('Ask @Ann, then @נועה לוי. Ann knows; mail ann@Ann.example');
    expect(written.mention_ranges).toEqual([
      { id: ann, start: 4, name: 'Ann' },
      { id: noa, start: 15, name: 'נועה לוי' },
    ]);
    await rename(ann, 'Anna-Maria Müller');
    const { body: renamed, mentions, mention_ranges: ranges } = await read();
    expect(renamed).toBe('Ask @Anna-Maria Müller, then @נועה לוי. Ann knows; mail ann@Ann.example');
    expect(mentions[0]).toEqual({ id: ann, name: 'Anna-Maria Müller' });
    expect(
      ranges.map(({ start, name }) => renamed.slice(start + 1, start + 1 + name.length)),
    ).toEqual(['Anna-Maria Müller', 'נועה לוי']);
  });

  test('a name that belongs to another member, or to a longer word, is not replaced', async () => {
    const [ann] = [await addMember('Ann'), await addMember('Ann Lee')];
    await receive(ADA);
    const body = '@Ann Lee, @Anna, @ann@corp.example and @Ann';
    await write({ body, mentions: [ann] });
    await rename(ann, 'Zoe');
    expect((await read()).body).toBe('@Ann Lee, @Anna, @ann@corp.example and @Zoe');
  });

  test('of members with the same name, each range mentions the one with its id', async () => {
    const [first, second] = [await addMember('Sam'), await addMember('Sam')];
    await receive(ADA);
    const ranges = [
      { id: second, start: 0, name: 'Sam' },
      { id: first, start: 9, name: 'Sam' },
    ];
    const body = '@Sam and @Sam';
    await write({ body, mentions: [first, second], mention_ranges: ranges });
    await rename(first, 'Samuel');
    expect((await read()).body).toBe('@Sam and @Samuel');
  });

  test('an edit keeps names and ranges, and only its own changes count as one', async () => {
    const ann = await addMember('Ann');
    await receive(ADA);
    const { id } = await write({ body: 'Ask @Ann', mentions: [ann] });
    await rename(ann, 'Anna');
    const edit = (json: object) => client(`${path}/${id}`, { method: 'PATCH', json });
    const shown = await read();
    const { body, mention_ranges } = shown;
    const same = await edit({ body, mentions: [ann], mention_ranges });
    expect(same.status).toBe(200);
    expect(same.json).toEqual(shown);
    const edited = await edit({ body: `Please: ${body}?`, mentions: [ann] });
    expect(edited.status).toBe(200);
    await rename(ann, 'Anne');
    expect((await read()).body).toBe('Please: Ask @Anne?');
  });

  test('a former member keeps the mention, and the name of a deleted user stays as it was written', async () => {
    const [ann, bob] = [await addMember('Ann'), await addMember('Bob')];
    await receive(ADA);
    await write({ body: '@Ann, @Bob', mentions: [ann, bob] });
    expect((await client(`/members/${ann}`, { method: 'DELETE' })).status).toBe(200);
    await rename(ann, 'Anna');
    await service.sql('DELETE FROM users WHERE id = $1', [bob]);
    const { body, mentions } = await read();
    expect([body, mentions]).toEqual(['@Anna, @Bob', [{ id: ann, name: 'Anna' }]]);
  });

  test('a note whose text was changed without its ranges is shown as it is stored', async () => {
    const ann = await addMember('Ann');
    await receive(ADA);
    const { id } = await write({ body: '@Ann?', mentions: [ann] });
    await service.sql('UPDATE notes SET body = $2 WHERE id = $1', [id, 'Not @Ann']);
    await rename(ann, 'Zoe');
    const { body, mention_ranges } = await read();
    expect([body, mention_ranges]).toEqual(['Not @Ann', []]);
  });

  test('ranges that are not in the text, overlap, or have an id that is not mentioned are refused', async () => {
    const ann = await addMember('Ann');
    await receive(ADA);
    const at = (start: unknown, name: unknown = 'Ann', id = ann) => ({ id, start, name });
    const lists = [
      [at(1)],
      [at(0, 'Anne')],
      [at(0, '@')],
      [at(-1)],
      [at(0.5)],
      [at(6), at(0)],
      [at(0, 'Ann, @Ann'), at(6)],
      [at(0, 'Ann', workspace.userId)],
      [at(0, 7)],
      'Ann',
    ];
    for (const mention_ranges of lists) {
      const json = { body: '@Ann, @Ann', mentions: [ann], mention_ranges };
      expectRefusal(await client(path, { json }), 400, 'invalid_params', /`mention_ranges/);
    }
    const many = Array.from({ length: 101 }, () => at(0));
    const json = { body: '@Ann, @Ann', mentions: [ann], mention_ranges: many };
    expectRefusal(await client(path, { json }), 400, 'invalid_params', /at most 100 ranges/);
  });

  test('a removed note keeps no name of a member', async () => {
    const ann = await addMember('Ann');
    await receive(ADA);
    const { id } = await write({ body: '@Ann', mentions: [ann] });
    expect((await client(`${path}/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await read()).mention_ranges).toEqual([]);
    const [stored] = await service.sql('SELECT mention_ranges FROM notes WHERE id = $1', [id]);
    expect(stored).toEqual({ mention_ranges: [] });
  });
});
