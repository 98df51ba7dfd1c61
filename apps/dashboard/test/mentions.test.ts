import type { Note, PageResponse } from '@switchboard/contracts';
import { EVENTUALLY, openTestDatabase } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

const ADA = '+14155550171';

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    await stack.receive(ADA, 'Is it ready?');
  },
});

async function query<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
  const database = openTestDatabase(stack.database.url);
  try {
    return (await database.pool.query<Row>(sql, values)).rows;
  } finally {
    await database.close();
  }
}

/** Adds members with these names, and returns their ids. */
async function addMembers(names: readonly string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `WITH added AS (
       INSERT INTO users (id, email, name, password_hash, created_at)
       SELECT uuid_v7(now() + n * interval '1 ms'), 'member' || n - 1 || '@example.com', name, '', now()
       FROM unnest($2::text[]) WITH ORDINALITY AS t(name, n) RETURNING id, email
     ), joined AS (
       INSERT INTO members (workspace_id, user_id, role, created_at)
       SELECT $1, id, 'member', now() FROM added
     )
     SELECT id FROM added ORDER BY email`,
    [stack.owner.workspaceId, names],
  );
  return rows.map(({ id }) => id);
}

const rename = (id: string | undefined, name: string) =>
  query('UPDATE users SET name = $2 WHERE id = $1', [id, name]);

const notes = () => `${api}/conversations/${encodeURIComponent(ADA)}/notes`;
const readLatest = async () => (await stack.request<PageResponse<Note>>('GET', notes())).data[0];
const mentions = async () => (await readLatest())?.mentions.map(({ id }) => id);
const log = () => page.getByRole('log');

let ids: string[];

test('a note mentions the members whose names it has in full, and of two with one name the one who was chosen', async () => {
  ids = await addMembers(['Ann', 'Anna', 'Sam', 'Sam', 'José Ñandú']);
  await page.goto(`${view}/conversations/${ADA}`);
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  const note = page.getByRole('textbox', { name: 'Note' });
  await note.pressSequentially('@Anna');
  await page.getByRole('option', { name: /^Anna.*member1@/ }).click();
  await note.press('Enter');
  await log().getByText('@Anna').waitFor();
  expect(await mentions()).toEqual([ids[1]]);

  await page.getByRole('button', { name: 'Edit this note' }).last().click();
  const editor = page.getByRole('textbox', { name: 'Note text' });
  await editor.fill('@Anna and @Sa');
  await page.getByRole('option', { name: /Sam.*member3@/ }).click();
  await editor.pressSequentially('or @sam');
  await page.getByRole('option', { name: /Sam.*member2@/ }).click();
  await editor.press('Home');
  await editor.pressSequentially('Ask ');
  await editor.press('Enter');
  await editor.waitFor({ state: 'detached' });
  await expect.poll(mentions, EVENTUALLY).toEqual([ids[1], ids[3], ids[2]]);
});

test('a note shows the current names of the members whom it mentions, and an edit keeps who is meant', async () => {
  await rename(ids[1], 'Anna-Maria');
  await rename(ids[3], 'Samuel');
  await page.reload();
  await log().getByText('Ask @Anna-Maria and @Samuel or @Sam').waitFor();
  await rename(ids[3], 'Sam');
  await page.reload();
  await log().getByText('Ask @Anna-Maria and @Sam or @Sam').waitFor();
  await page.getByRole('button', { name: 'Edit this note' }).last().click();
  const editor = page.getByRole('textbox', { name: 'Note text' });
  await editor.pressSequentially(' today');
  await editor.press('Enter');
  await editor.waitFor({ state: 'detached' });
  await rename(ids[2], 'Samantha');
  await expect
    .poll(async () => (await readLatest())?.body, EVENTUALLY)
    .toBe('Ask @Anna-Maria and @Sam or @Samantha today');
});

test('an @ within an address mentions no member, and a name may be chosen without its accents', async () => {
  await page.reload();
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  const note = page.getByRole('textbox', { name: 'Note' });
  await note.fill('Mail ann@Ann.example, @ann@corp.example, not @nan');
  await page.getByRole('option', { name: /José Ñandú.*member4@/ }).click();
  await note.press('Enter');
  await log().getByText('not @José Ñandú').waitFor();
  expect(await mentions()).toEqual([ids[4]]);
});

test('no page logs an error during the tests of mentions', () => {
  expect(opened.errors).toEqual([]);
});
