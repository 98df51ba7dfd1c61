import type { Conversation } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { beforeEach, expect, test } from 'vitest';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

const OURS = '+15005550006';
/** In the order of the list: the latest is first. */
const NUMBERS = ['+14155550183', '+14155550182', '+14155550181'] as const;
const [FIRST, SECOND, THIRD] = NUMBERS;

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: OURS });
    for (const number of NUMBERS.toReversed()) await stack.receive(number, 'Hello');
  },
});

const row = (number: string) => page.locator(`[data-conversation="${number}"]`);
const read = (number: string) =>
  stack.request<Conversation>('GET', `${api}/conversations/${encodeURIComponent(number)}`);
const isAt = (number: string) =>
  page.waitForURL((url) => decodeURIComponent(url.pathname).endsWith(`/conversations/${number}`));
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

beforeEach(async () => {
  await page.mouse.move(0, 0);
  await page.goto(`${view}/conversations`);
  await row(FIRST).waitFor();
  await page.locator('[data-connection=live]:visible').waitFor();
});

test('a user moves through conversations, and opens and closes them, with the keyboard', async () => {
  await press('j', 'j', 'j', 'k', 'Enter');
  await isAt(SECOND);
  await press('j');
  await isAt(THIRD);
  await press('k', 'k');
  await isAt(FIRST);
  await page.getByRole('log').getByText('Hello').waitFor();
  await press('Escape');
  await page.waitForURL('**/conversations');
  // The row has the focus, so that the next key continues from it.
  await press('j', 'Enter');
  await isAt(SECOND);
  expect(await row(SECOND).getByRole('link').getAttribute('aria-current')).toBe('page');
});

test('a user replies, adds a note and assigns the conversation with the keyboard', async () => {
  await press('j', 'Enter');
  await isAt(FIRST);
  await page.getByRole('log').getByText('Hello').waitFor();
  await press('r');
  await page.keyboard.type('On my way');
  await press('Enter');
  await page.getByRole('log').getByText('On my way').waitFor();
  // Escape leaves the text, and the next key is a shortcut again.
  await press('Escape', 'n');
  await page.keyboard.type('Needs a call');
  await press('Enter');
  await page.getByRole('log').getByText('Needs a call').waitFor();

  await press('Escape', 'i');
  await expect.poll(async () => (await read(FIRST)).assignee?.name, EVENTUALLY).toBe('Owner');
  const assignee = page.getByLabel('Assigned to');
  await expect.poll(() => assignee.isEnabled(), EVENTUALLY).toBe(true);
  await press('a');
  expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe(
    'Assigned to',
  );
  await page.getByRole('button', { name: 'Mark as unread' }).focus();
  await press('p');
  const dialog = page.getByRole('dialog', { name: 'New contact' });
  await dialog.waitFor();
  await press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('a user edits their own note in place with the keyboard, and the note shows that it was edited', async () => {
  const mine = { body: 'The brake costs 20' };
  const path = `${api}/conversations/${encodeURIComponent(FIRST)}/notes`;
  await stack.request('POST', path, mine);
  await page.goto(`${view}/conversations/${FIRST}`);
  await page.getByRole('log').getByText('The brake costs 20').waitFor();
  const item = page.getByRole('log').getByRole('listitem').last();
  const field = item.getByRole('textbox', { name: 'Note text' });
  const edit = item.getByRole('button', { name: 'Edit this note' });
  await edit.click();
  await page.keyboard.type(' or more');
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  expect(await item.getByText('edited').count()).toBe(0);
  // Escape returns to the button, so that Enter opens the editor again.
  await page.keyboard.press('Enter');
  await page.keyboard.type(' euros');
  await page.keyboard.press('Enter');
  await item.getByText('The brake costs 20 euros', { exact: true }).waitFor();
  await item.getByText('edited').waitFor();
  await page.reload();
  await item.getByText('edited').waitFor();
});

test('a conversation is closed and reopened with the keyboard, and the next key opens the next conversation', async () => {
  await press('j', 'j', 'Enter');
  await isAt(SECOND);
  await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
  await press('e');
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  expect((await read(SECOND)).state).toBe('closed');
  // The rows stay where they are while one of them has the focus.
  await press('j');
  await isAt(THIRD);
  await page.goto(`${view}/conversations/${SECOND}`);
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await press('e');
  await row(SECOND).waitFor();
  expect((await read(SECOND)).state).toBe('open');
});

test('a conversation that is marked as unread remains so until it is opened again', async () => {
  await row(THIRD).getByRole('link').click();
  await expect.poll(async () => (await read(THIRD)).unread_count, EVENTUALLY).toBe(0);
  await page.getByRole('button', { name: 'Mark as unread' }).waitFor();
  await press('u');
  await page.waitForURL('**/conversations');
  await row(THIRD).getByText('1 unread').waitFor();
  expect((await read(THIRD)).unread_count).toBe(1);
  await row(THIRD).getByRole('link').click();
  await expect.poll(async () => (await read(THIRD)).unread_count, EVENTUALLY).toBe(0);
});

test('single-key shortcuts can be turned off in the help, for all tabs, and Escape still works', async () => {
  await press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('Assign to me').waitFor();
  await help.getByLabel('Single-key shortcuts').uncheck();
  await press('Escape');
  await help.waitFor({ state: 'detached' });
  await press('c', '?', 'j', 'Enter');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(new URL(page.url()).pathname).toMatch(/\/conversations$/);
  await page.reload();
  await row(FIRST).getByRole('link').click();
  await isAt(FIRST);
  await page.getByRole('log').getByText('Hello').waitFor();
  await press('r');
  expect(await page.evaluate('document.activeElement?.tagName')).not.toBe('TEXTAREA');
  await press('Escape');
  await page.waitForURL('**/conversations');

  // The button is on every page, even a narrow one.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await help.getByLabel('Single-key shortcuts').check();
  await press('Escape');
  await press('j', 'Enter');
  await isAt(FIRST);
  await page.setViewportSize({ width: 1360, height: 820 });
  expect(opened.errors).toEqual([]);
});
