import { CONTACT_LIMITS, unescapeFormula } from '@switchboard/contracts';
import * as strings from '#strings/contact-import';
import { readTypedNumber } from '../../phone/read-typed-number.ts';
import { splitTags } from '../contact-draft.ts';

/** The use of a column of the table. */
export type ColumnUse = 'ignore' | 'number' | 'otherNumbers' | 'name' | 'tags' | 'field';

export interface ImportPlan {
  contacts: PlannedContact[];
  skipped: SkippedRow[];
  /** The row of each contact, by its number. */
  rowOf: ReadonlyMap<string, number>;
}

export interface SkippedRow {
  row: number;
  reason: string;
}

export interface PlannedContact {
  number: string;
  other_numbers: string[];
  name: string;
  tags: string[];
  fields: Record<string, string>;
}

/** The prefix of field columns in our export. */
const FIELD_PREFIX = 'fields.';

export const fieldNameOf = (header: string): string =>
  header.trim().startsWith(FIELD_PREFIX) ? header.trim().slice(FIELD_PREFIX.length) : header.trim();

/** Guesses the use of each column from the first row. */
export function guessColumns(headers: readonly string[]): ColumnUse[] {
  let hasNumber = false;
  let fields = 0;
  return headers.map((header) => {
    const text = header.trim().toLowerCase();
    if (!hasNumber && /^(?!fields\.).*\b(phone|mobile|cell|tel|number|telephone)/.test(text)) {
      hasNumber = true;
      return 'number';
    }
    if (/^((full |first |last |given |family |display )?name|surname)$/.test(text)) return 'name';
    if (/^other[ _]numbers$/.test(text)) return 'otherNumbers';
    if (/^(tags?|labels?|groups?)$/.test(text)) return 'tags';
    if (text === '' || fields >= CONTACT_LIMITS.fields) return 'ignore';
    fields += 1;
    return 'field';
  });
}

/** Reads the rows after the first. Each is either a valid contact or skipped with a reason. */
export function planImport(
  rows: readonly string[][],
  uses: readonly ColumnUse[],
  country: string | null,
): ImportPlan {
  const [headers = [], ...others] = rows;
  const rowOf = new Map<string, number>();
  const plan: ImportPlan = { contacts: [], skipped: [], rowOf };
  others.forEach((cells, index) => {
    const row = index + 2;
    const contact = readRow(headers, cells, uses, country);
    if (typeof contact === 'string') {
      plan.skipped.push({ row, reason: contact });
      return;
    }
    const earlier = rowOf.get(contact.number);
    if (earlier !== undefined) {
      plan.skipped.push({ row, reason: strings.sameNumberAsRow(earlier) });
      return;
    }
    rowOf.set(contact.number, row);
    plan.contacts.push(contact);
  });
  return plan;
}

/** Returns the contact of the row, or the reason why the row is skipped. */
function readRow(
  headers: readonly string[],
  cells: readonly string[],
  uses: readonly ColumnUse[],
  country: string | null,
): PlannedContact | string {
  const values = uses.map((use, column) => ({
    use,
    header: headers[column] ?? '',
    value: unescapeFormula(cells[column] ?? '').trim(),
  }));
  const given = (use: ColumnUse) => values.filter((each) => each.use === use && each.value !== '');
  const [phone] = given('number');
  if (phone === undefined) return strings.numberMissing;
  const reading = readTypedNumber(phone.value, country);
  if (reading.kind === 'ask') return strings.severalNumbers(shorten(phone.value));
  if (reading.kind !== 'number') return strings.notNumber(shorten(phone.value));
  const name = given('name')
    .map(({ value }) => value)
    .join(' ');
  const tags = splitTags(
    given('tags')
      .map(({ value }) => value)
      .join(','),
  );
  const fields = given('field').map(({ header, value }) => [fieldNameOf(header), value] as const);
  const others = splitTags(
    given('otherNumbers')
      .map(({ value }) => value)
      .join(','),
  ).map((other) => readTypedNumber(other, country));
  if (others.some(({ kind }) => kind !== 'number')) return strings.otherNumberInvalid;
  const other_numbers = others.flatMap((other) => (other.kind === 'number' ? other.e164 : []));
  const contact = {
    number: reading.e164,
    other_numbers,
    name,
    tags,
    fields: Object.fromEntries(fields),
  };
  return findExcess(contact) ?? contact;
}

/** Returns the limit that a contact exceeds, or null. */
function findExcess({ name, other_numbers, tags, fields }: PlannedContact): string | null {
  const limits = CONTACT_LIMITS;
  if (name.length > limits.nameCharacters) {
    return strings.nameTooLong(limits.nameCharacters);
  }
  if (other_numbers.length > limits.otherNumbers) {
    return strings.tooManyNumbers(limits.otherNumbers);
  }
  if (tags.length > limits.tags) return strings.tooManyTags(limits.tags);
  if (tags.some((tag) => tag.length > limits.tagCharacters)) {
    return strings.tagTooLong(limits.tagCharacters);
  }
  if (Object.keys(fields).length > limits.fields) {
    return strings.tooManyFields(limits.fields);
  }
  const isLong = ([field, value]: [string, string]): boolean =>
    field.length > limits.fieldNameCharacters || value.length > limits.fieldCharacters;
  const [field] = Object.entries(fields).find(isLong) ?? [];
  return field === undefined ? null : strings.fieldTooLong(shorten(field));
}

const shorten = (text: string): string => (text.length > 30 ? `${text.slice(0, 29)}…` : text);
