import { EVENTUALLY } from '@switchboard/testing';
import { afterEach, expect, test } from 'vitest';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

const ADA = '+14155550161';
const BOB = '+14155550162';

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    await stack.receive(ADA, 'When do you open?');
    for (const [number, name] of [
      [ADA, 'Ada'],
      [BOB, 'Bob'],
    ])
      await stack.request('POST', `${api}/contacts`, { number, name });
    for (let n = 1; n <= 8; n += 1)
      await stack.request('POST', `${api}/saved-replies`, {
        name: `Reply ${n}`,
        body: `Text ${n}`,
      });
  },
});
let release = (): void => undefined;
afterEach(async () => {
  release();
  await page.unrouteAll({ behavior: 'wait' });
});

/** Holds back the requests that change something, until `release` is called. Returns their methods. */
async function holdChanges(): Promise<string[]> {
  const held: string[] = [];
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/ui/**', async (route) => {
    const method = route.request().method();
    if (method !== 'GET') {
      held.push(method);
      await released;
    }
    await route.continue();
  });
  return held;
}

const busy = () => page.locator('button[aria-busy=true]');

test('while a form is saved, its button shows it and sends no second request', async () => {
  await page.goto(`${view}/settings/general`);
  await page.getByLabel('Workspace name').fill('Workshop');
  const held = await holdChanges();
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.dblclick();
  await busy().filter({ hasText: 'Save' }).waitFor();
  expect(await save.isDisabled()).toBe(true);
  await page.getByLabel('Workspace name').press('Enter');
  release();
  await page.getByText('Saved.').waitFor();
  await expect.poll(() => busy().count(), EVENTUALLY).toBe(0);
  expect(held).toEqual(['PATCH']);
});

test('while a conversation is assigned, the chosen colleague is shown', async () => {
  await page.goto(`${view}/conversations/${ADA}`);
  await page.getByRole('log').getByText('When do you open?').waitFor();
  const assignee = page.getByLabel('Assigned to');
  await assignee.locator('option', { hasText: 'Owner' }).waitFor({ state: 'attached' });
  await holdChanges();
  await assignee.selectOption({ label: 'Owner' });
  await busy().first().waitFor();
  expect(await assignee.inputValue()).toBe(stack.owner.userId);
  release();
  await expect.poll(() => assignee.isEnabled(), EVENTUALLY).toBe(true);
  expect(await assignee.inputValue()).toBe(stack.owner.userId);
});

test('the list of saved replies scrolls to the reply that the arrow keys select', async () => {
  await page.goto(`${view}/conversations/${ADA}`);
  const reply = page.getByRole('textbox', { name: 'Reply' });
  await reply.fill('/');
  const last = page.getByRole('option', { name: /Reply 8/ });
  await last.waitFor();
  await reply.press('ArrowUp');
  await page.locator('[role=option][aria-selected=true]', { hasText: 'Reply 8' }).waitFor();
  const isInView = `(() => {
    const option = document.querySelector('[role=option][aria-selected=true]');
    const { top, bottom } = option.getBoundingClientRect();
    const list = option.parentElement.parentElement.getBoundingClientRect();
    return top >= list.top - 1 && bottom <= list.bottom + 1;
  })()`;
  await expect.poll(() => page.evaluate<boolean>(isInView), EVENTUALLY).toBe(true);
  await reply.press('Enter');
  await expect.poll(() => reply.inputValue(), EVENTUALLY).toBe('Text 8');
  await reply.fill('');
});

test('the focus stays in the dialog that merges contacts, in each of its steps, and returns to the contact', async () => {
  await page.goto(`${view}/contacts`);
  await page.locator(`[data-contact="${ADA}"]`).getByRole('button').press('Enter');
  await page.getByRole('button', { name: 'Merge…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Merge contacts' });
  const hasFocus = () => dialog.locator(':focus').count();
  await dialog.getByLabel('Merge with').fill('Bob');
  await dialog.getByRole('button', { name: /Bob/ }).press('Enter');
  await dialog.getByRole('button', { name: 'Merge', exact: true }).waitFor();
  await expect.poll(hasFocus, EVENTUALLY).toBe(1);
  await dialog.getByRole('button', { name: 'Back' }).press('Enter');
  await dialog.getByLabel('Merge with').waitFor();
  await expect.poll(hasFocus, EVENTUALLY).toBe(1);
  await dialog.getByRole('button', { name: 'Close' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Contact' }).waitFor({ state: 'detached' });
  await page.locator(`[data-contact="${ADA}"] button:focus`).waitFor();
});

test('the focus returns to the menu of views when a view was saved by keyboard', async () => {
  await page.goto(`${view}/messages?status=failed`);
  const views = page.getByRole('button', { name: 'Views', exact: true });
  await views.press('Enter');
  await page.getByRole('button', { name: 'Save these filters' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New view' });
  await dialog.getByLabel('Name', { exact: true }).fill('Failed');
  await dialog.getByLabel('Name', { exact: true }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  const current = page.getByRole('button', { name: 'Failed', exact: true });
  await expect.poll(() => current.and(page.locator(':focus')).count(), EVENTUALLY).toBe(1);
});

test('no page logs an error while requests are slow', () => {
  expect(opened.errors).toEqual([]);
});
