import { readFile } from 'node:fs/promises';
import type { ContactList, MessageList } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

const OURS = '+15005550006';
const ADA = '+14155550161';

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: OURS });
    await stack.receive(ADA, 'When do you open?');
  },
});

const reply = () => page.getByRole('textbox', { name: 'Reply' });
const sentTexts = async () => {
  const path = `${api}/messages?direction=outbound`;
  const { messages } = await stack.request<MessageList>('GET', path);
  return messages.map(({ body }) => body);
};

test('a contact that is added in a thread shows its name in every view', async () => {
  await page.goto(`${view}/conversations/${ADA}`);
  await page.getByRole('button', { name: 'Add contact' }).click();
  const dialog = page.getByRole('dialog', { name: 'New contact' });
  await dialog.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await dialog.getByLabel('Tags').fill('customer, vip');
  await dialog.getByRole('button', { name: 'Add a field' }).click();
  await dialog.getByLabel('Name of field 1').fill('City');
  await dialog.getByLabel('Value of field 1').fill('London');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
  await page.getByText('+1 415 555 0161 · City: London').waitFor();
  await page.locator(`[data-conversation="${ADA}"]`).getByText('Ada Lovelace').waitFor();

  await page.goto(`${view}/messages`);
  await page.locator('[data-message]').getByText('Ada Lovelace').click();
  await page.getByRole('heading', { name: 'From Ada Lovelace' }).waitFor();

  await page.keyboard.press('c');
  const to = page.getByRole('dialog', { name: 'New message' }).getByLabel('To', { exact: true });
  await to.fill('lovelace');
  await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.keyboard.press('Enter');
  await expect.poll(() => to.inputValue(), EVENTUALLY).toBe('+1 415 555 0161');
  await page.getByText('United States · Ada Lovelace').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('a saved reply is inserted with the keyboard, and the words that select it are never sent', async () => {
  await page.goto(`${view}/settings/saved-replies`);
  await page.getByRole('button', { name: 'New saved reply' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Opening hours');
  await page.getByLabel('Text', { exact: true }).fill('We open at nine.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Edit Opening hours' }).waitFor();
  await stack.request('POST', `${api}/saved-replies`, { name: 'Address', body: 'Elm Street 5' });

  // Enter is pressed before the saved replies have loaded.
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/saved-replies?**', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${view}/conversations/${ADA}`);
  await reply().pressSequentially('/op');
  await page.keyboard.press('Enter');
  release();
  await page.getByRole('option', { name: /Opening hours/ }).waitFor();
  expect(await reply().inputValue()).toBe('/op');
  await page.keyboard.press('Enter');
  await expect.poll(() => reply().inputValue(), EVENTUALLY).toBe('We open at nine.');
  await page.keyboard.press('Enter');
  await expect.poll(sentTexts, EVENTUALLY).toEqual(['We open at nine.']);
  await page.unroute('**/saved-replies?**');

  await reply().fill('/');
  await page.getByRole('option', { name: /Address/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.locator('[role=option][aria-selected=true]', { hasText: 'Opening hours' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  expect(await reply().inputValue()).toBe('/');
  await reply().fill('');
});

test('an import maps columns and shows which rows it skips and why, and the export contains the imported contacts', async () => {
  await page.goto(`${view}/contacts`);
  await page.getByRole('button', { name: 'Import' }).click();
  const rows = [
    'Mobile;First name;Last name;Town;Secret',
    '+1 415 555 0170;Grace;Hopper;=Zürich;x',
    '+1 415 555 0161;Ada;Byron;London;x',
    'unknown;Joan;;;x',
    '+14155550170;Grace again;;;x',
  ];
  await page.getByLabel('CSV file').setInputFiles({
    name: 'customers.csv',
    mimeType: 'text/csv',
    // As Excel saves CSV files.
    buffer: Buffer.from(rows.join('\r\n'), 'latin1'),
  });
  await page.getByLabel('Import the column Secret as').selectOption('Do not import');
  await page.getByRole('button', { name: 'Preview' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 contact to add, 1 to update, 2 rows skipped.').waitFor();
  await dialog.getByText('“unknown” is not a phone number.').waitFor();
  await dialog.getByText('Row 2 has the same number.').waitFor();
  await dialog.getByLabel('Existing contacts').selectOption({ index: 1 });
  await dialog.getByText('1 contact to add, 1 kept, 2 rows skipped.').waitFor();
  await dialog.getByRole('button', { name: 'Import 2 contacts' }).click();
  await dialog.getByText('1 contact added, 1 kept, 2 rows skipped.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByLabel('Search contacts').fill('0170');
  await page.getByRole('button', { name: /Grace Hopper/ }).waitFor();
  await page.getByText('Ada Lovelace').waitFor({ state: 'detached' });
  const { data } = await stack.request<ContactList>('GET', `${api}/contacts`);
  expect(data.map(({ name, fields }) => [name, fields])).toEqual([
    ['Ada Lovelace', { City: 'London' }],
    ['Grace Hopper', { Town: '=Zürich' }],
  ]);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const exported = await readFile((await download.path()) ?? '', 'utf8');
  // Spreadsheets drop the plus of a number without a space.
  expect(exported).toContain("+1 4155550170,Grace Hopper,,,,'=Zürich\r\n");
});

test('an import shows which contacts would exceed a limit, and imports the others', async () => {
  const tags = Array.from({ length: 20 }, (_, n) => `tag ${n}`);
  await stack.request('POST', `${api}/contacts`, { number: '+14155550175', name: 'Full', tags });
  await page.goto(`${view}/contacts`);
  await page.getByRole('button', { name: 'Import' }).click();
  const rows = ['Phone,Tags,Other numbers', '+14155550175,one more,', '+14155550176,,+14155550177'];
  await page.getByLabel('CSV file').setInputFiles({
    name: 'customers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(rows.join('\n')),
  });
  await page.getByRole('button', { name: 'Preview' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 contact to add, 1 row skipped.').waitFor();
  await dialog.getByText('The contact would have more than 20 tags.').waitFor();
  await dialog.getByRole('button', { name: 'Import 1 contact' }).click();
  await dialog.getByText('1 contact added, 1 row skipped.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('+1 415 555 0177').waitFor();
  const path = `${api}/contacts?numbers=%2B14155550175`;
  const { data } = await stack.request<ContactList>('GET', path);
  expect(data).toMatchObject([{ name: 'Full', tags }]);
});

test('two contacts are merged as the user decides, and both conversations show the name', async () => {
  const other = '+14155550181';
  await stack.receive('+14155550180', 'This is my new number.');
  await stack.receive(other, 'Hello from the old number.');
  const joan = { name: 'Joan Clarke', tags: ['vip'], fields: { City: 'London', Plan: 'Paid' } };
  const old = { name: 'J. Clarke', tags: ['old'], fields: { City: 'Bletchley' } };
  await stack.request('POST', `${api}/contacts`, { number: '+14155550180', ...joan });
  await stack.request('POST', `${api}/contacts`, { number: other, ...old });
  await page.goto(`${view}/contacts`);
  await page.getByRole('button', { name: /Joan Clarke/ }).click();
  await page.getByRole('button', { name: 'Merge…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge contacts' });
  await dialog.getByLabel('Merge with').fill('clarke');
  await dialog.getByRole('button', { name: /J\. Clarke/ }).click();
  await dialog.getByRole('group', { name: 'City' }).getByLabel('Bletchley').check();
  await dialog.getByRole('group', { name: 'Plan' }).getByLabel('Leave out').check();
  await dialog.getByRole('group', { name: 'Tags' }).getByLabel('old').uncheck();
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('dialog', { name: 'Contact' }).waitFor({ state: 'detached' });
  await page.getByText('J. Clarke').waitFor({ state: 'detached' });
  const path = `${api}/contacts?search=clarke`;
  const { data } = await stack.request<ContactList>('GET', path);
  expect(data).toMatchObject([
    {
      name: 'Joan Clarke',
      number: '+14155550180',
      other_numbers: [other],
      tags: ['vip'],
      fields: { City: 'Bletchley' },
    },
  ]);

  await page.goto(`${view}/conversations/${other}`);
  await page.getByRole('heading', { name: 'Joan Clarke' }).waitFor();
  await page.getByRole('link', { name: 'Conversation with +1 415 555 0180' }).click();
  await page.getByText('This is my new number.').last().waitFor();
  await page.goto(`${view}/settings/audit`);
  await page.getByText('merged the contact of').waitFor();
});

test('unsaved edits of a contact are saved before it is merged, and an edit that is not valid is shown at its field', async () => {
  const number = '+14155550190';
  await stack.request('POST', `${api}/contacts`, { number, name: 'Mary' });
  await stack.request('POST', `${api}/contacts`, { number: '+14155550191', name: 'M. Jackson' });
  await page.goto(`${view}/contacts`);
  await page.getByRole('button', { name: /^Mary/ }).click();
  const contact = page.getByRole('dialog', { name: 'Contact', exact: true });
  const merge = page.getByRole('dialog', { name: 'Merge contacts' });
  const main = contact.getByLabel('Number', { exact: true });
  await contact.getByRole('button', { name: 'Merge…', exact: true }).waitFor();
  await contact.getByLabel('Name', { exact: true }).fill('Mary Jackson');
  await main.fill('12');
  await contact.getByRole('button', { name: 'Save and merge…' }).click();
  await expect.poll(() => main.getAttribute('aria-invalid'), EVENTUALLY).toBe('true');
  expect(await merge.count()).toBe(0);
  await main.fill(number);
  await contact.getByRole('button', { name: 'Save and merge…' }).click();
  await merge.getByLabel('Merge with').fill('jackson');
  await merge.getByRole('button', { name: /M\. Jackson/ }).click();
  const names = merge.getByRole('group', { name: 'Name' }).getByRole('radio');
  await expect.poll(() => names.count(), EVENTUALLY).toBe(2);
  await merge.getByRole('button', { name: 'Merge', exact: true }).click();
  await contact.waitFor({ state: 'detached' });
  const { data } = await stack.request<ContactList>('GET', `${api}/contacts?search=jackson`);
  expect(data).toMatchObject([{ name: 'Mary Jackson', number, other_numbers: ['+14155550191'] }]);
});

test('no view of contacts logs an error or a violation of its security policy', () => {
  expect(opened.errors).toEqual([]);
});
