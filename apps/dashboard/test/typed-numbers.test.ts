import type { MessageList, Workspace } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { beforeEach, expect, test } from 'vitest';
import {
  api,
  opened,
  page,
  stack,
  useDashboard,
  view,
  waitUntilNoDialog,
} from './use-dashboard.ts';

/** The browser's language is English (United States), so a number that it reads is one of the United States. */
useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
  },
});

const read = () => stack.request<Workspace>('GET', api);
const setCountry = (country: string | null) => stack.request('PATCH', api, { country });

beforeEach(async () => {
  await setCountry('DE');
});

async function openComposer() {
  await page.goto(`${view}/messages`);
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'New message' });
  const to = dialog.getByLabel('To', { exact: true });
  // The draft of the test before.
  await to.fill('');
  await dialog.getByText('a number of Germany').waitFor();
  return { dialog, to };
}

test('a national number is read with the country of the workspace, and the field shows the number and its country', async () => {
  const { dialog, to } = await openComposer();
  await to.fill('0151 23456704');
  await dialog.getByText('+4915123456704 · Germany').waitFor();
  await to.fill('0612345603 12345');
  await dialog.getByText('Not a valid phone number of Germany.').waitFor();
  await to.fill('+33 6 12 34 56 78');
  await dialog.getByText('+33612345678 · France').waitFor();
  expect(await dialog.locator('input:invalid').count()).toBe(0);
});

test('for digits that begin with the country code of the workspace, the user chooses the number, and the message goes to it', async () => {
  const { dialog, to } = await openComposer();
  await to.fill('4915123456704');
  await dialog.getByText('Which number do you mean?').waitFor();
  await dialog.getByLabel('Message', { exact: true }).fill('To the chosen number');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  expect(await dialog.locator('input:invalid').count()).toBe(1);
  await dialog.getByRole('button', { name: '+4915123456704 · Germany' }).click();
  await expect.poll(() => to.inputValue(), EVENTUALLY).toBe('+49 1512 3456704');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await waitUntilNoDialog();
  const { messages } = await stack.request<MessageList>('GET', `${api}/messages`);
  expect(messages[0]).toMatchObject({ to: '+4915123456704', body: 'To the chosen number' });
});

test('a filter reads numbers as the other fields do, and asks as they do', async () => {
  await page.goto(`${view}/messages`);
  await page.locator('[data-connection=live]:visible').waitFor();
  const filter = page.getByRole('search').getByLabel('To', { exact: true });
  // The country arrives with the workspace, shortly after the page.
  await expect
    .poll(async () => {
      await filter.fill('0151 23456704');
      await filter.press('Enter');
      return filter.inputValue();
    }, EVENTUALLY)
    .toBe('+4915123456704');
  await filter.fill('4915123456704');
  await filter.press('Enter');
  const message = await filter.evaluate((input) => String(Reflect.get(input, 'validationMessage')));
  expect(message).toContain('+4915123456704 · Germany, or +494915123456704 · Germany');
});

test('without a chosen country, that of the default number applies and a rename chooses none, and a saved country reads the next numbers', async () => {
  await setCountry(null);
  await page.goto(`${view}/settings/general`);
  const country = page.getByLabel('Country', { exact: true });
  await expect.poll(() => country.inputValue(), EVENTUALLY).toBe('');
  await page.getByLabel('Workspace name').fill('Renamed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  expect(await read()).toMatchObject({ name: 'Renamed', country: null });
  await country.selectOption('FR');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(async () => (await read()).country, EVENTUALLY).toBe('FR');
  await page.goto(`${view}/settings/opt-outs`);
  await page.getByText('A number of France').waitFor();
  await page.getByLabel('Number', { exact: true }).fill('06 12 34 56 78');
  await page.getByText('+33612345678 · France').waitFor();
});

test('a new workspace is asked for its country, with that of the language as a suggestion', async () => {
  await page.goto(`${stack.url}/new-workspace`);
  const country = page.getByLabel('Country', { exact: true });
  expect(await country.inputValue()).toBe('US');
  await country.selectOption({ label: 'Switzerland (+41)' });
  await page.getByLabel('Name', { exact: true }).fill('Zürich');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await page.waitForURL(/\/w\/[^/]+\/messages/);
  const id = /\/w\/([^/]+)/.exec(page.url())?.[1] ?? '';
  const created = await stack.request<Workspace>('GET', `/api/ui/workspaces/${id}`);
  expect(created).toMatchObject({ name: 'Zürich', country: 'CH' });
});

test('no page logs an error during these tests', () => {
  expect(opened.errors).toEqual([]);
});
