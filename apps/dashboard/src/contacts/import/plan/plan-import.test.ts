import { escapeFormula } from '@switchboard/contracts';
import { expect, test } from 'vitest';
import { describeColumns } from '../columns/describe-columns.ts';
import { guessColumns } from '../columns/guess-columns.ts';
import { readTable } from '../file/read-table.ts';
import { planImport } from './plan-import.ts';
import { type NumberRules, createReadNumber } from './read-number.ts';

async function plan(text: string, rules: Partial<NumberRules> = {}) {
  const readNumber = createReadNumber({ country: 'US', ambiguous: 'skip', ...rules });
  const choices = { encoding: null, delimiter: null, headerRow: null };
  const table = readTable(new Uint8Array(Buffer.from(text)), choices, 'en');
  if ('kind' in table) throw new Error(`the table was refused: ${table.kind}`);
  const columns = describeColumns(table.headers, table.rows);
  const uses = guessColumns(columns, table.rows, (number) => readNumber(number) !== 'invalid');
  const onPart = async (): Promise<void> => undefined;
  return planImport(table, { columns, uses, readNumber, onPart });
}

test('each row of an import becomes a contact or is skipped with a reason', async () => {
  const { contacts, skipped } = await plan(
    [
      'Phone,First name,Last name,Tags,fields.Note,other_numbers',
      `+1 (415) 555-0123,Ada,Lovelace,vip; customer,${escapeFormula('=1')},+1 415 555 0125; +14155550126`,
      ',Grace,,,,',
      'Grace,,,,,',
      '+14155550123,Again,,,,',
      `+14155550124,${'x'.repeat(101)},,,,`,
      '+14155550127,Joan,,,,+14155550128; home',
      '+14155550129,"Two\nlines",,,,',
      '+14155550130,Ben 5",,,,',
    ].join('\n'),
  );
  expect(contacts).toEqual([
    {
      row: 2,
      contact: {
        number: '+14155550123',
        other_numbers: ['+14155550125', '+14155550126'],
        name: 'Ada Lovelace',
        tags: ['vip', 'customer'],
        fields: { Note: '=1' },
      },
    },
  ]);
  expect(skipped).toEqual([
    { row: 3, reason: { kind: 'numberMissing' } },
    { row: 4, reason: { kind: 'notNumber', text: 'Grace' } },
    { row: 5, reason: { kind: 'sameNumber', earlierRow: 2 } },
    { row: 6, reason: { kind: 'nameTooLong' } },
    { row: 7, reason: { kind: 'otherNotNumber', text: 'home' } },
    { row: 8, reason: { kind: 'nameHasLines' } },
    { row: 9, reason: { kind: 'nameHasQuote' } },
  ]);
});

test('one row that cannot be stored is skipped, and the rows beside it are imported', async () => {
  const { contacts, skipped } = await plan(
    'Phone,Name,__proto__,constructor\n+14155550101,Ada,x,y\n+14155550102,B\0b,x,y\n+14155550103,C\uFFFDl,x,y\n+14155550104,Dan,,',
  );
  expect(contacts.map(({ row, contact: { name, fields } }) => [row, name, fields])).toEqual([
    [2, 'Ada', { 'Column 3': 'x', constructor: 'y' }],
    [5, 'Dan', {}],
  ]);
  expect(skipped).toEqual([
    { row: 3, reason: { kind: 'controlCharacter' } },
    { row: 4, reason: { kind: 'wrongEncoding' } },
  ]);
});

test('several phone columns fill the number and the other numbers, and a row without a mobile number uses another one', async () => {
  const { contacts } = await plan(
    'Name,Work phone,Mobile,Home phone\nAda,+14155550101,+14155550102,+14155550103\nBob,+14155550104,,+14155550105',
  );
  expect(contacts.map(({ contact: { number, other_numbers } }) => [number, other_numbers])).toEqual(
    [
      ['+14155550102', ['+14155550101', '+14155550103']],
      ['+14155550104', ['+14155550105']],
    ],
  );
});

test.each([
  ['Vorname,Name,Handy', 'Ada,Lovelace', 'Ada Lovelace'],
  ['Nachname,Vorname,Handy', 'Lovelace,Ada', 'Ada Lovelace'],
  ['姓,名,携帯', '山田,太郎', '山田 太郎'],
  ['성,이름,휴대폰', '김,철수', '김 철수'],
  ['First Name,Last Name,Mobile', ',Lovelace', 'Lovelace'],
])(
  'the name in the columns %s is joined in the order of its language',
  async (header, row, name) => {
    const { contacts } = await plan(`${header}\n${row},+14155550101`);
    expect(contacts[0]?.contact.name).toBe(name);
  },
);

test.each([
  ['="+14155550101"', '+14155550101', []],
  ["'+14155550101", '+14155550101', []],
  ['p:+14155550101', '+14155550101', []],
  ['tel:+1-415-555-0101', '+14155550101', []],
  ['+14155550101 ::: +14155550102', '+14155550101', ['+14155550102']],
  ['+14155550101 / +14155550102', '+14155550101', ['+14155550102']],
])('the cell %j of an export is read as its numbers', async (cell, number, others) => {
  const { contacts } = await plan(
    `Name\tPhone\nAda\t${cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell}`,
  );
  expect(contacts[0]?.contact).toMatchObject({ number, other_numbers: others });
});

test('columns with the same name keep both values', async () => {
  const { contacts } = await plan('Phone,Note,Note,\n+14155550101,a,b,c');
  expect(contacts[0]?.contact.fields).toEqual({ Note: 'a', 'Note 2': 'b', 'Column 4': 'c' });
});

test('ambiguous digits are skipped until the user chooses what they mean', async () => {
  const file = 'Phone,Name\n4915112345678,Ada\n015112345679,Bob\n+4915112345670,Cy';
  const german = await plan(file, { country: 'DE' });
  const numbersOf = ({ contacts }: typeof german) => contacts.map(({ contact }) => contact.number);
  const known = ['+4915112345679', '+4915112345670'];
  expect(german.skipped).toEqual([
    { row: 2, reason: { kind: 'ambiguousNumber', text: '4915112345678' } },
  ]);
  expect(numbersOf(german)).toEqual(known);
  const chosen = await plan(file, { country: 'DE', ambiguous: 'withCountryCode' });
  expect(numbersOf(chosen)).toEqual(['+4915112345678', ...known]);
  expect(chosen.readings.map(({ row, isChanged }) => [row, isChanged])).toEqual([
    [2, true],
    [3, true],
    [4, false],
  ]);
});
