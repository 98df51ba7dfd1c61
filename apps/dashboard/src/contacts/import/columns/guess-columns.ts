import { CONTACT_LIMITS } from '@switchboard/contracts';
import type { TableRow } from '../file/parse-csv.ts';
import { splitNumbers } from '../plan/split-numbers.ts';
import { type HeaderKind, classifyHeader } from './classify-header.ts';
import type { Column, ColumnUse } from './column.ts';

const SAMPLE_VALUES = 200;
/** The share of values that must be phone numbers, in a column that is called phone. */
const SHARE_OF_NAMED = 0.3;
/** The same in another column. */
const SHARE_OF_OTHERS = 0.8;
/** A number that so many rows repeat belongs to a company, not to a person. */
const SHARE_OF_DIFFERENT = 0.8;
const FEW_VALUES = 5;

interface Facts {
  kind: HeaderKind;
  values: number;
  /** The share of the values that are phone numbers. */
  phones: number;
  /** The share of the phone numbers with a country code. */
  international: number;
  isShared: boolean;
}

/**
 * Guesses the use of each column from its name and its values. The first mobile number is the number of the contact; other
 * phone numbers of the person are other numbers.
 */
export function guessColumns(
  columns: readonly Column[],
  rows: readonly TableRow[],
  isPhone: (text: string) => boolean,
): ColumnUse[] {
  const facts = columns.map((column, at) => readFacts(column, sampleOf(rows, at), isPhone));
  const uses = nameColumns(facts.map(({ kind }) => kind));
  markNames(uses, facts, columns, rows);
  markPhones(uses, facts);
  let fields = 0;
  return columns.map(({ values }, at) => {
    const use = uses[at];
    if (values === 0) return 'ignore';
    if (use !== undefined) return use;
    if (fields >= CONTACT_LIMITS.fields) return 'ignore';
    fields += 1;
    return 'field';
  });
}

function sampleOf(rows: readonly TableRow[], at: number): string[] {
  const values: string[] = [];
  // A prime distance visits other rows of a table whose rows repeat a pattern.
  const distance = rows.length > 10 * SAMPLE_VALUES ? 7 : 1;
  for (let index = 0; index < rows.length && values.length < SAMPLE_VALUES; index += distance) {
    const value = rows[index]?.cells[at]?.trim() ?? '';
    if (value !== '') values.push(value);
  }
  return values;
}

function readFacts(
  { header, values }: Column,
  sample: readonly string[],
  isPhone: (text: string) => boolean,
): Facts {
  const kind = classifyHeader(header);
  const numbers = sample.flatMap((value) => splitNumbers(value).slice(0, 1)).filter(isPhone);
  const share = (count: number, all: number): number => (all === 0 ? 0 : count / all);
  const international = numbers.filter((each) => /^\D{0,2}(\+|00)/.test(each)).length;
  return {
    kind,
    values,
    phones: share(numbers.length, sample.length),
    international: share(international, numbers.length),
    isShared:
      numbers.length >= FEW_VALUES && new Set(numbers).size / numbers.length < SHARE_OF_DIFFERENT,
  };
}

const USE_OF_KIND: Partial<Record<HeaderKind, ColumnUse>> = {
  firstName: 'firstName',
  middleName: 'firstName',
  lastName: 'lastName',
  secondLastName: 'lastName',
  name: 'name',
  tags: 'tags',
  otherNumbers: 'otherNumbers',
};

/** Gives each kind to its first column. Further ones become fields. */
function nameColumns(kinds: readonly HeaderKind[]): (ColumnUse | undefined)[] {
  return kinds.map((kind, at) => (kinds.indexOf(kind) === at ? USE_OF_KIND[kind] : undefined));
}

/**
 * `Name` beside `Vorname` is the last name, and beside `Surname` the first name, unless it contains both.
 */
function markNames(
  uses: (ColumnUse | undefined)[],
  facts: readonly Facts[],
  columns: readonly Column[],
  rows: readonly TableRow[],
): void {
  const find = (kind: HeaderKind): number => facts.findIndex((each) => each.kind === kind);
  const [name, first, last] = [find('name'), find('firstName'), find('lastName')];
  const part = first >= 0 ? first : last;
  if (name < 0 || part < 0 || (first >= 0 && last >= 0)) return;
  const whole = rows.filter(({ cells }) => {
    const [full = '', given = ''] = [cells[name]?.trim(), cells[part]?.trim()];
    return given !== '' && full !== given && full.includes(given);
  }).length;
  if (whole > (columns[part]?.values ?? 0) / 2) return;
  uses[name] = first >= 0 ? 'lastName' : 'firstName';
}

const RANKS: readonly HeaderKind[] = ['mobile', 'phone', 'number', 'unknown', 'otherPerson'];

function markPhones(uses: (ColumnUse | undefined)[], facts: readonly Facts[]): void {
  const found = facts
    .map((each, at) => ({ ...each, at }))
    .filter((each) => uses[each.at] === undefined && isPhoneColumn(each))
    .sort((a, b) => RANKS.indexOf(a.kind) - RANKS.indexOf(b.kind) || a.at - b.at);
  const [best, ...others] = found;
  if (best === undefined) return;
  uses[best.at] = 'number';
  const isNamed = (kind: HeaderKind): boolean => kind === 'mobile' || kind === 'phone';
  for (const { kind, isShared, at } of others) {
    if (isNamed(kind) && !isShared) uses[at] = 'otherNumbers';
  }
}

function isPhoneColumn({ kind, values, phones, international }: Facts): boolean {
  if (values === 0) return false;
  if (kind === 'mobile' || kind === 'phone') return phones >= SHARE_OF_NAMED;
  if (kind === 'number') return phones >= SHARE_OF_OTHERS;
  if (kind === 'unknown') return phones >= SHARE_OF_OTHERS && international > 1 / 2;
  return false;
}
