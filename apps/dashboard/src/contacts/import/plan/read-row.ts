import { CONTACT_LIMITS, isStorable, trimName } from '@switchboard/contracts';
import type { Column, ColumnUse } from '../columns/column.ts';
import { splitTags } from '../../contact-draft.ts';
import { joinName } from './join-name.ts';
import type { ReadNumber } from './read-number.ts';
import type { SkipReason } from './skip-reason.ts';
import { cleanCell, splitNumbers } from './split-numbers.ts';

export interface PlannedContact {
  number: string;
  other_numbers: string[];
  name: string;
  tags: string[];
  fields: Record<string, string>;
}

export interface ReadContact {
  contact: PlannedContact;
  /** Each number with its text in the file. */
  numbers: { text: string; number: string }[];
}

export interface RowOptions {
  columns: readonly Column[];
  uses: readonly ColumnUse[];
  readNumber: ReadNumber;
}

/** Returns the contact of a row, or the reason why the row is skipped. */
export function readRow(
  cells: readonly string[],
  { columns, uses, readNumber }: RowOptions,
): ReadContact | SkipReason {
  const values = uses.map((use, at) => ({
    use,
    field: columns[at]?.field ?? '',
    value: use === 'ignore' ? '' : cleanCell(cells[at] ?? ''),
  }));
  const given = (use: ColumnUse): string[] =>
    values.filter((each) => each.use === use && each.value !== '').map(({ value }) => value);
  const all = values.map(({ value }) => value);
  if (all.some((value) => !isStorable(value))) return { kind: 'controlCharacter' };
  if (all.some((value) => value.includes('\uFFFD'))) return { kind: 'wrongEncoding' };

  const texts = [...given('number'), ...given('otherNumbers')].flatMap(splitNumbers);
  const mainNumbers = given('number').flatMap(splitNumbers).length;
  const numbers: ReadContact['numbers'] = [];
  for (const [at, text] of texts.entries()) {
    const read = readNumber(text);
    const kind = at < Math.max(1, mainNumbers) ? 'notNumber' : 'otherNotNumber';
    if (read === 'ambiguous') return { kind: 'ambiguousNumber', text };
    if (read === 'invalid') return { kind, text };
    numbers.push({ text, ...read });
  }
  const [number, ...others] = new Set(numbers.map((each) => each.number));
  if (number === undefined) return { kind: 'numberMissing' };

  const parts = [...given('name'), ...given('firstName'), ...given('lastName')];
  if (parts.some((part) => /[\n\u2028\u2029]/.test(part))) return { kind: 'nameHasLines' };
  const name = trimName(given('name').join(' ') || joinName(given('firstName'), given('lastName')));
  if ((name.match(/"/g)?.length ?? 0) % 2 === 1) return { kind: 'nameHasQuote' };

  const contact = {
    number,
    other_numbers: others,
    name,
    tags: splitTags(given('tags').join(',').replaceAll(':::', ','))
      .map(trimName)
      .filter((tag) => tag !== ''),
    fields: Object.fromEntries(
      values
        .filter(({ use, value }) => use === 'field' && value !== '')
        .map(({ field, value }) => [field, value]),
    ),
  };
  return findExcess(contact) ?? { contact, numbers };
}

/** Returns the limit that a contact exceeds, or null. */
function findExcess({ name, other_numbers, tags, fields }: PlannedContact): SkipReason | null {
  const limits = CONTACT_LIMITS;
  if (name.length > limits.nameCharacters) return { kind: 'nameTooLong' };
  if (other_numbers.length > limits.otherNumbers) return { kind: 'tooManyNumbers' };
  if (tags.length > limits.tags) return { kind: 'tooManyTags' };
  if (tags.some((tag) => tag.length > limits.tagCharacters)) return { kind: 'tagTooLong' };
  const long = Object.entries(fields).find(([, value]) => value.length > limits.fieldCharacters);
  if (long !== undefined) return { kind: 'fieldTooLong', field: long[0] };
  return Object.keys(fields).length > limits.fields ? { kind: 'tooManyFields' } : null;
}
