import type { ContactList } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { beforeEach, expect, test } from 'vitest';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

useDashboard();

const dialog = () => page.getByRole('dialog', { name: 'Import contacts' });
const IMPORT = '**/contacts/import';

async function choose(content: string | Buffer, name = 'customers.csv'): Promise<void> {
  await dialog()
    .getByLabel('CSV file')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
}

const button = (name: string) => dialog().getByRole('button', { name, exact: true });

async function listContacts(search: string): Promise<ContactList['data']> {
  const path = `${api}/contacts?search=${encodeURIComponent(search)}`;
  return (await stack.request<ContactList>('GET', path)).data;
}

beforeEach(async () => {
  await page.goto(`${view}/contacts`);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
});

test('a file in another encoding shows its names as they are, the person can choose another one, and sees the result', async () => {
  // In Shift_JIS: 姓,名,携帯 and 山田,太郎.
  const bytes = [0x90, 0xa9, 0x2c, 0x96, 0xbc, 0x2c, 0x8c, 0x67, 0x91, 0xd1, 0x0a];
  const name = [0x8e, 0x52, 0x93, 0x63, 0x2c, 0x91, 0xbe, 0x98, 0x59];
  await choose(Buffer.from([...bytes, ...name, ...Buffer.from(',+81 90-1234-5678\n')]));
  await dialog().getByText('山田').waitFor();
  const encoding = dialog().getByLabel('Encoding');
  expect(await encoding.inputValue()).toBe('shift_jis');

  await encoding.selectOption({ label: 'Western Europe (Windows-1252)' });
  await dialog().getByText('山田').waitFor({ state: 'detached' });
  await encoding.selectOption({ label: 'Japanese (Shift_JIS)' });
  await dialog().getByText('山田').waitFor();
  await button('Preview').click();
  await button('Import 1 contact').click();
  await button('Done').click();
  expect(await listContacts('山田')).toMatchObject([
    { name: '山田 太郎', number: '+819012345678' },
  ]);
});

test('a title, an open quote, a line in a name, a NUL and a missing separator are reported with the rows of the spreadsheet', async () => {
  await choose(
    [
      'sep=;',
      'Customers of May;;',
      'Account Number;Name;Mobile',
      '4155550100;Grace;+14155550211',
      '4155550103;"Two\nLines";+14155550214',
      '4155550104;N\0ul;+14155550215',
      '4155550105;Lee; Ann;+14155550216',
      '4155550101;"Maya;+14155550212',
      '4155550102;Bob;+14155550213',
    ].join('\r\n'),
  );
  await button('Preview').click();
  await dialog().getByText('2 contacts to add, 4 rows skipped.').waitFor();
  const list = dialog().getByRole('list', { name: 'Skipped rows' }).getByRole('listitem');
  expect(await list.allTextContents()).toEqual([
    expect.stringMatching(/^Row 4: The name has several lines/),
    expect.stringMatching(/^Row 5: .*NUL/),
    expect.stringMatching(/^Row 6: The row has 4 cells, but the table has 3 columns/),
    expect.stringMatching(/^Row 7: A quotation mark is not closed/),
  ]);
  await button('Import 2 contacts').click();
  await dialog().getByText('2 contacts added, 4 rows skipped.').waitFor();
  await button('Done').click();
  expect(await listContacts('555021')).toMatchObject([
    { name: 'Bob', number: '+14155550213', fields: { 'Account Number': '4155550102' } },
    { name: 'Grace', number: '+14155550211' },
  ]);
});

test('a workbook is refused by its name, with what to do', async () => {
  await choose('PK\u0003\u0004…xl/workbook.xml…', 'customers.csv');
  await dialog().getByText('This is a workbook, not a CSV file.').waitFor();
  expect(await dialog().getByLabel('CSV file').getAttribute('aria-invalid')).toBe('true');
});

test('the reader of files is no code of the page, and the page responds while 45,000 rows are planned', async () => {
  const rows = Array.from({ length: 45_000 }, (_, at) => `(415) 555-0101,+1415${2_000_000 + at}`);
  const scripts = await page.evaluate(async () => {
    const urls = performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.js'));
    return Promise.all(urls.map(async (url) => ({ url, text: await (await fetch(url)).text() })));
  });
  const findWorker = () => page.workers()[0]?.url() ?? '';
  await expect.poll(findWorker, EVENTUALLY).toMatch(/\/assets\/import-worker-[\w-]+\.js$/);
  // A constant of the parser.
  const withParser = scripts.filter(({ text }) => text.includes('UndetectableDelimiter'));
  expect(withParser.map(({ url }) => url).filter((url) => url !== findWorker())).toEqual([]);

  await page.evaluate(`(() => {
    window.seen = new Set();
    const read = () => {
      const text = document.querySelector('dialog [role=status]')?.textContent ?? '';
      if (text.startsWith('Reading row')) window.seen.add(text);
    };
    const all = { subtree: true, childList: true, characterData: true };
    new MutationObserver(read).observe(document.body, all);
  })()`);
  await choose(`Fax,Mobile\n${rows.join('\n')}`);
  await button('Preview').click();
  await dialog()
    .getByText(/^Checking contact .* of 45,000…$|45,000 contacts to add/)
    .waitFor();
  const seen = await page.evaluate('window.seen.size');
  // The plan has 90 parts. A page that does not respond shows none of them.
  expect(seen).toBeGreaterThan(10);
});

test.each([
  ['the server', 'application/json; charset=utf-8', '{"error":"rate_limited","detail":"too many"}'],
  ['a proxy', 'text/html', '<h1>429 Too Many Requests</h1>'],
])('an import that %s limits continues after the time in Retry-After', async (who, type, body) => {
  const number = who === 'a proxy' ? '+14155550221' : '+14155550222';
  await choose(`Mobile,Name\n${number},Limited`);
  await button('Preview').click();
  await dialog().getByText('1 contact to add.').waitFor();
  const at: number[] = [];
  await page.route(IMPORT, async (route) => {
    at.push(Date.now());
    if (at.length > 1) return route.continue();
    return route.fulfill({
      status: 429,
      contentType: type,
      headers: { 'retry-after': '10' },
      body,
    });
  });
  const limited = dialog().getByText('The server limits the number of requests.').waitFor();
  await Promise.all([limited, button('Import 1 contact').click()]);
  await dialog().getByText('1 contact added.').waitFor();
  await page.unroute(IMPORT);
  const [refused = 0, repeated = 0, ...others] = at;
  expect(others).toEqual([]);
  expect(repeated - refused).toBeGreaterThanOrEqual(10_000);
  expect(await listContacts(number.slice(2))).toHaveLength(1);
});

test('an import that waits can be stopped and shows how many contacts it has sent', async () => {
  await choose('Mobile,Name\n+14155550231,Stopped');
  await button('Preview').click();
  await dialog().getByText('1 contact to add.').waitFor();
  await page.route(IMPORT, (route) =>
    route.fulfill({
      status: 429,
      json: { error: 'rate_limited', detail: 'too many' },
      headers: { 'retry-after': '3600' },
    }),
  );
  await button('Import 1 contact').click();
  await button('Stop').click();
  await dialog().getByText('Stopped after 0 of 1 contacts.').waitFor();
  await page.unroute(IMPORT);
  await expect.poll(() => listContacts('Stopped'), EVENTUALLY).toEqual([]);
});

test('no step of an import logs an error or a violation of its security policy', () => {
  expect(opened.errors).toEqual([]);
});
