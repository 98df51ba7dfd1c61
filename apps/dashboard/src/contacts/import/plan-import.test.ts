import { escapeFormula } from '@switchboard/contracts';
import { expect, test } from 'vitest';
import { parseCsv } from './parse-csv.ts';
import { guessColumns, planImport } from './plan-import.ts';

test.each([
  ['commas', 'a,b\r\n1,2\r\n'],
  ['semicolons', 'a;b\n1;2'],
  ['tabs and a byte order mark', '\uFEFFa\tb\n1\t2\n\n'],
])('a CSV file with %s is parsed into rows', (_what, text) => {
  expect(parseCsv(text)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
});

test('a quoted cell of a CSV file may contain quotes, delimiters and line breaks', () => {
  expect(parseCsv('a,b\n"say ""hi"", now","two\nlines"')[1]).toEqual([
    'say "hi", now',
    'two\nlines',
  ]);
});

test('an import recognizes columns by their names, and other columns become fields', () => {
  expect(
    guessColumns(['First name', 'Surname', 'Mobile phone', 'Labels', 'City', '', 'Phone 2']),
  ).toEqual(['name', 'name', 'number', 'tags', 'field', 'ignore', 'field']);
  expect(guessColumns(['number', 'name', 'tags', 'other_numbers', 'fields.Phone'])).toEqual([
    'number',
    'name',
    'tags',
    'otherNumbers',
    'field',
  ]);
});

test('each row of an import becomes a contact or is skipped with a reason', () => {
  const plan = planImport(
    [
      ['Phone', 'First name', 'Last name', 'Tags', 'fields.Note', 'other_numbers'],
      [
        '+1 (415) 555-0123',
        'Ada',
        'Lovelace',
        'vip; customer,vip',
        escapeFormula('=1'),
        '+1 415 555 0125; +14155550126',
      ],
      ['', 'Grace', '', '', ''],
      ['Grace', '', '', '', ''],
      ['+14155550123', 'Again', '', '', ''],
      ['+14155550124', 'x'.repeat(101), '', '', ''],
      ['+14155550127', 'Joan', '', '', '', '+14155550128, home'],
    ],
    ['number', 'name', 'name', 'tags', 'field', 'otherNumbers'],
    'US',
  );
  expect(plan.contacts).toEqual([
    {
      number: '+14155550123',
      other_numbers: ['+14155550125', '+14155550126'],
      name: 'Ada Lovelace',
      tags: ['vip', 'customer'],
      fields: { Note: '=1' },
    },
  ]);
  expect(plan.skipped).toEqual([
    { row: 3, reason: 'The phone number is missing.' },
    { row: 4, reason: '“Grace” is not a phone number.' },
    { row: 5, reason: 'Row 2 has the same number.' },
    { row: 6, reason: 'The name has more than 100 characters.' },
    { row: 7, reason: 'One of the other numbers is not a phone number.' },
  ]);
});
