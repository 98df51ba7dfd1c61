import { expect, test } from 'vitest';
import type { FileChoices } from './file-choices.ts';
import { type Table, readTable } from './read-table.ts';

const AS_DETECTED: FileChoices = { encoding: null, delimiter: null, headerRow: null };
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text));

function read(text: string, choices: Partial<FileChoices> = {}): Table {
  const table = readTable(bytesOf(text), { ...AS_DETECTED, ...choices }, 'en');
  if ('kind' in table) throw new Error(`the table was refused: ${table.kind}`);
  return table;
}

const summary = ({ rows, skipped }: Table) => ({
  rows: rows.map(({ row, cells }) => [row, ...cells]),
  skipped: skipped.map(({ row, kind }) => [row, kind]),
});

test('an open quote breaks only its own row, and the rows that it would swallow are read', () => {
  const text =
    'name,phone\n"Maya,+14155550101\nBob,+14155550102\n"Carol",+14155550103\nDan,+14155550104';
  expect(summary(read(text))).toEqual({
    rows: [
      [3, 'Bob', '+14155550102'],
      [5, 'Dan', '+14155550104'],
    ],
    skipped: [
      [2, 'openQuote'],
      [4, 'nearOpenQuote'],
    ],
  });
});

test.each([
  [
    'is closed at the end of the file',
    'phone,name\n+14155550101,"Maya\n+14155550102,Bob\n+14155550103,Carol"',
    [[3, '+14155550102', 'Bob']],
    [
      [2, 'openQuote'],
      [4, 'nearOpenQuote'],
    ],
  ],
  [
    'is never closed',
    'phone;name\n+14155550101;"Maya\n+14155550102;Bob\n+14155550103;Carol',
    [
      [3, '+14155550102', 'Bob'],
      [4, '+14155550103', 'Carol'],
    ],
    [[2, 'openQuote']],
  ],
  [
    'is in a note, far from the name',
    'phone\tname\tnote\n+14155550101\tMaya\t"call\n+14155550102\tBob\tx\n+14155550103\tCarol\ty"',
    [[3, '+14155550102', 'Bob', 'x']],
    [
      [2, 'openQuote'],
      [4, 'nearOpenQuote'],
    ],
  ],
  [
    'is followed by text after the closing quote',
    'name,phone\n"Ann "Annie" Lee,+14155550101\nBob,+14155550102',
    [[3, 'Bob', '+14155550102']],
    [[2, 'openQuote']],
  ],
])('an open quote that %s is reported with its row', (_where, text, rows, skipped) => {
  expect(summary(read(text))).toEqual({ rows, skipped });
});

test.each([
  [
    'quotes that stand for inches',
    'color;height;phone\nblue;6\'5";+14155550101\nred;2\'8";+14155550102',
    2,
    [],
  ],
  [
    'a quoted part of a cell',
    'name\tphone\n"the rainmaker" norton\t+14155550101\nBob\t+14155550102',
    1,
    [2],
  ],
  ['a quote within a quoted cell', 'a,b,c\n1,2,3\n4,"5"5",6\n7,8,9', 2, [3]],
  ['quoted cells alone', '"Mobile","First name"\n"18035551000","John"\n"18035551001",""', 2, []],
])('rows with %s keep to themselves', (_what, text, rows, broken) => {
  const table = read(text, { headerRow: 1 });
  expect(table.rows).toHaveLength(rows);
  expect(table.skipped.map(({ row }) => row)).toEqual(broken);
});

test('a header with one separator less than the rows, and commas in the rows, is split at the semicolons', () => {
  const text = 'Name;Mobile\nMüller, Anna;+49 1512 3456789;\nLee, Ann;+1 415 555 0101;';
  expect(read(text).headers).toEqual(['Name', 'Mobile']);
});

test('a quoted cell may contain quotes, delimiters and line breaks, and counts as one row of a spreadsheet', () => {
  const text =
    'name,address,phone\r\n"Ada ""A"" Lovelace","12 Main St, Apt 4\r\nSpringfield, IL 62704",+14155550101\r\n\r\nBob,x,+14155550102\r\n';
  expect(summary(read(text))).toEqual({
    rows: [
      [2, 'Ada "A" Lovelace', '12 Main St, Apt 4\nSpringfield, IL 62704', '+14155550101'],
      [4, 'Bob', 'x', '+14155550102'],
    ],
    skipped: [],
  });
});

test('a row with more cells than columns is reported, and cells without a value do not count', () => {
  const text = 'name,phone\nMüller, Anna,+14155550101\nBob,+14155550102,,\nCarol,+14155550103';
  expect(read(text).skipped).toEqual([{ row: 2, kind: 'moreCells', cells: 3, columns: 2 }]);
  expect(read(text).rows.map(({ row }) => row)).toEqual([3, 4]);
});

test('a file with an open quote in every row is refused with its first row, and one with many is read', () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => `+1415555${1_000 + at},"Maya ${at}`);
  const broken = `phone,name\n${rows.join('\n')}`;
  expect(readTable(bytesOf(broken), AS_DETECTED, 'en')).toEqual({ kind: 'openQuotes', row: 2 });
  const { skipped, rows: others } = read(`${broken}\n+14155550101,Ada`);
  expect(skipped).toHaveLength(5_000);
  expect(others).toEqual([{ row: 5_002, cells: ['+14155550101', 'Ada'] }]);
});

test.each([
  ['commas', 'phone,name\n+14155550101,Ada', ','],
  [
    'semicolons, with commas in the values',
    'name;phone\nLovelace, Ada;+14155550101\nByron;+14155550102',
    ';',
  ],
  ['tabs', 'phone\tname\n+14155550101\tAda, Countess', '\t'],
  ['vertical bars', 'phone|name\n+14155550101|Ada; Countess', '|'],
  ['the delimiter in its first line', 'sep=;\r\nphone;name\r\n+14155550101;Ada', ';'],
  ['a quoted first line with the delimiter', '"sep=|"\nphone|name\n+14155550101|Ada', '|'],
])('a table with %s is split into its columns', (_what, text, delimiter) => {
  const { detected, headers, rows } = read(text);
  expect(detected.delimiter).toBe(delimiter);
  expect([...headers].sort()).toEqual(['name', 'phone']);
  // A spreadsheet does not show the line `sep=` as a row.
  expect(rows[0]).toMatchObject({ row: 2, cells: expect.arrayContaining(['+14155550101']) });
});

test.each([
  ['is first', 'Phone,Name\n+14155550101,Ada', 1, 2],
  ['follows a title', 'Customers of 2026\n\nPhone,Name\n+14155550101,Ada', 3, 4],
  [
    'follows a title with empty cells',
    'Customers;;\nexported on 1 May;;\nTelefon;Vorname;Ort\n+14155550101;Ada;x',
    3,
    4,
  ],
  ['is missing', '+14155550101,Ada\n+14155550102,Bob', 'none', 1],
])(
  'the row with the names of the columns is found where it %s',
  (_where, text, headerRow, first) => {
    const { detected, rows } = read(text);
    expect([detected.headerRow, rows[0]?.row]).toEqual([headerRow, first]);
  },
);

test('the person chooses another row, delimiter and encoding', () => {
  const text = 'a,b;c\nd,e;f\ng,h;i';
  const table = read(text, { headerRow: 2, delimiter: ';', encoding: 'windows-1251' });
  expect(table.headers).toEqual(['d,e', 'f']);
  expect(table.rows).toEqual([{ row: 3, cells: ['g,h', 'i'] }]);
  expect(table.detected).toEqual({ headerRow: 2, delimiter: ';', encoding: 'windows-1251' });
});

test.each([
  ['an .xlsx workbook', 'PK\u0003\u0004…xl/workbook.xml…', 'workbook'],
  [
    'an OpenDocument table',
    'PK\u0003\u0004…mimetypeapplication/vnd.oasis.opendocument.spreadsheet',
    'workbook',
  ],
  ['a ZIP archive', 'PK\u0003\u0004…contacts.csv…', 'archive'],
  ['a vCard', '\uFEFFBEGIN:VCARD\r\nVERSION:3.0', 'vcard'],
  ['a web page that is called .xls', '\n<html xmlns:x="urn"><table>', 'webPage'],
  ['a PDF document', '%PDF-1.7', 'pdf'],
  ['an empty file', '', 'empty'],
  ['a file with a header alone', 'Phone,Name\n', 'empty'],
])('%s is refused by its name', (_what, content, kind) => {
  expect(readTable(bytesOf(content), AS_DETECTED, 'en')).toEqual({ kind });
});

test('an .xls workbook is refused by its name', () => {
  const bytes = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  expect(readTable(bytes, AS_DETECTED, 'en')).toEqual({ kind: 'workbook' });
});

test('a file with more than 50,000 rows is refused, and one with 50,000 is read', () => {
  const rows = (count: number): string => 'Phone\n' + '+14155550101\n'.repeat(count);
  expect(readTable(bytesOf(rows(50_001)), AS_DETECTED, 'en')).toEqual({ kind: 'tooManyRows' });
  expect(read(rows(50_000)).rows).toHaveLength(50_000);
});
