import { readFile } from 'node:fs/promises';
import { type ContactList, type MessageList, spaceNumber } from '@switchboard/contracts';
import { expect, test } from 'vitest';
import { api, page, stack, useDashboard, view } from '../test/use-dashboard.ts';
import { LOCALES, type Locale, convertTable } from './convert-table.ts';

/** Numbers that a spreadsheet changes in one of the locales if they are written otherwise. */
const NUMBERS = [
  '+14155550123',
  '+48512345678',
  '+33612345678',
  '+4915123456704',
  '+390612345678',
  '+2250707123456',
  '+525512345678',
  '+6834123',
];
const CONTACTS = NUMBERS.map((number, index) => ({
  number,
  other_numbers: index === 0 ? ['+48512345679', '+447911123456'] : [],
  name: ['Ada Lovelace', 'José', 'Zoë “Z” Müller', '=1+1', '确认', '@me', "O'Neil", '-1'][index],
  tags: index === 1 ? ['vip', 'customer'] : [],
  fields: { Note: index === 2 ? 'two, parts; "quoted"' : '=SUM(1)', City: 'Zürich' },
}));

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    for (const contact of CONTACTS) await stack.request('POST', `${api}/contacts`, contact);
    for (const to of NUMBERS.slice(0, 5))
      await stack.request('POST', `${api}/messages`, { to, body: `To ${to}` });
  },
});

const COUNTRIES: Record<Locale, string> = { 'en-US': 'US', 'de-DE': 'DE', 'fr-FR': 'FR' };
const CASES = (Object.keys(LOCALES) as Locale[]).flatMap((locale) =>
  [false, true].map((asWorkbook) => [locale, asWorkbook ? 'workbook' : 'CSV'] as const),
);

async function readContacts(): Promise<unknown[]> {
  const { data } = await stack.request<ContactList>('GET', `${api}/contacts?limit=100`);
  return data.map(({ updated_at: _at, ...contact }) => contact);
}

async function download(where: string): Promise<string> {
  await page.goto(`${view}/${where}`);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  return readFile((await file.path()) ?? '', 'utf8');
}

test.each(CASES)(
  'an export of contacts that LibreOffice in %s saves as %s is imported without a change',
  async (locale, format) => {
    await stack.request('PATCH', api, { country: COUNTRIES[locale] });
    const before = await readContacts();
    expect(before).toHaveLength(CONTACTS.length);
    const saved = await convertTable(await download('contacts'), {
      locale,
      asWorkbook: format === 'workbook',
    });
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByLabel('CSV file').setInputFiles({
      name: 'contacts.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(saved),
    });
    await page.getByRole('button', { name: 'Preview' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: `Import ${CONTACTS.length} contacts` }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await readContacts()).toEqual(before);
  },
);

test.each(CASES)(
  'an export of messages that LibreOffice in %s saves as %s has the same numbers and texts',
  async (locale, format) => {
    const { messages } = await stack.request<MessageList>('GET', `${api}/messages`);
    expect(messages.length).toBeGreaterThanOrEqual(5);
    const saved = await convertTable(await download('messages'), {
      locale,
      asWorkbook: format === 'workbook',
    });
    for (const { id, to, body } of messages) {
      const line = saved.split(/\r?\n/).find((each) => each.startsWith(`"${id}"`));
      expect(line).toContain(`"${spaceNumber(to)}"`);
      expect(line).toContain(`"${body}"`);
    }
  },
);
