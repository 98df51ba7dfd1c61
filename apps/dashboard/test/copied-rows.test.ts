import { EVENTUALLY } from '@switchboard/testing';
import { beforeAll, expect, test } from 'vitest';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

useDashboard({
  async fill() {
    await stack.request('PATCH', api, { country: 'US' });
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006', label: '=Shop' });
    await stack.request('POST', `${api}/numbers`, { number: '12345' });
    for (const name of ['Shop', '-Till']) await stack.request('POST', `${api}/api-keys`, { name });
    for (const number of ['+14155550181', '+14155550182']) {
      await stack.request('POST', `${api}/opt-outs`, { number });
    }
    const ada = {
      number: '+14155550171',
      name: '=Ada',
      tags: ['vip', 'new'],
      fields: { City: 'Bonn' },
    };
    await stack.request('POST', `${api}/contacts`, ada);
    await stack.request('POST', `${api}/contacts`, { number: '+14155550172', name: 'Bob' });
  },
});
beforeAll(() => page.context().grantPermissions(['clipboard-read', 'clipboard-write']));

/** Selects from the first letter of one text to the last one of another, and returns what is copied. */
async function copy(from: string, to: string): Promise<string[][]> {
  const [first, last] = [from, to].map((text) => page.getByText(text, { exact: true }).first());
  if (first === undefined || last === undefined) throw new Error('No text was given.');
  await last.waitFor();
  await first.evaluate(
    (start, end) => {
      const { getSelection } = globalThis as unknown as {
        getSelection(): { setBaseAndExtent(...ends: unknown[]): void };
      };
      const { childNodes } = end as unknown as { childNodes: unknown[] };
      getSelection().setBaseAndExtent(start, 0, end, childNodes.length);
    },
    await last.elementHandle(),
  );
  await page.evaluate(`navigator.clipboard.writeText('')`);
  await page.keyboard.press('Control+c');
  const read = () => page.evaluate<string>('navigator.clipboard.readText()');
  await expect.poll(read, EVENTUALLY).not.toBe('');
  return (await read()).split('\n').map((line) => line.split('\t'));
}

const TIME = expect.stringMatching(/20\d\d/) as string;

test('selected contacts are copied as rows of a table', async () => {
  await page.goto(`${view}/contacts`);
  expect(await copy('=Ada', 'Bob')).toEqual([
    [`'=Ada`, '+1 415 555 0171', '', 'vip, new', 'City: Bonn'],
    ['Bob', '+1 415 555 0172', '', '', ''],
  ]);
});

test.each([
  [
    'opt-outs',
    '+1 415 555 0182',
    '+1 415 555 0181',
    [
      ['+1 415 555 0182', 'Added here', TIME],
      ['+1 415 555 0181', 'Added here', TIME],
    ],
  ],
  [
    'api-keys',
    '-Till',
    'Shop',
    [
      [`'-Till`, expect.stringContaining('…'), 'Live', 'Everything', TIME, '', '', '', ''],
      ['Shop', expect.stringContaining('…'), 'Live', 'Everything', TIME, '', '', '', ''],
    ],
  ],
])('selected %s in the settings are copied as rows of a table', async (section, from, to, rows) => {
  await page.goto(`${view}/settings/${section}`);
  expect(await copy(from, to)).toEqual(rows);
});

test('selected numbers in the settings are copied as rows of a table', async () => {
  await page.goto(`${view}/settings/numbers`);
  const rows = await copy('+1 500 555 0006', '12345');
  expect(rows.map(([number, label]) => [number, label])).toEqual([
    ['+1 500 555 0006', `'=Shop`],
    ['12345', ''],
  ]);
});

test('selected rows of the preview of an import are copied as rows of a table', async () => {
  await page.goto(`${view}/contacts`);
  await page.getByRole('button', { name: 'Import' }).click();
  const numbers = [191, 192, 193, 194, 195, 196].map((last) => `(415) 555-0${last}`);
  const lines = ['Phone', ...numbers, 'none', 'unknown'].map((number) => `Name,${number}\n`);
  const buffer = Buffer.from(lines.join(''));
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Preview' }).click();
  expect(await copy('(415) 555-0191', '(415) 555-0192')).toEqual([
    ['2', '(415) 555-0191', '+1 415 555 0191'],
    ['3', '(415) 555-0192', '+1 415 555 0192'],
  ]);
  expect(await copy('Row 8:', 'Row 9:')).toEqual([
    ['8', '“none” is not a phone number.'],
    ['9', '“unknown” is not a phone number.'],
  ]);
});

test('a part of one row is copied as its text', async () => {
  await page.goto(`${view}/contacts`);
  await page.getByText('=Ada').waitFor();
  expect(await copy('=Ada', '=Ada')).toEqual([['=Ada']]);
});

test('no page logs an error during the tests of copied rows', () => {
  expect(opened.errors).toEqual([]);
});
