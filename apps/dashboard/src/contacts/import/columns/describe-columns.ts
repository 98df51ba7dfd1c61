import { CONTACT_LIMITS, trimName } from '@switchboard/contracts';
import * as strings from '#strings/import-fields';
import type { TableRow } from '../file/parse-csv.ts';
import type { Column } from './column.ts';

const SHOWN_EXAMPLES = 2;
const EXAMPLE_CHARACTERS = 100;
/** The prefix of field columns in our export. */
const FIELD_PREFIX = /^fields\./;
/** A field of this name would set the prototype of an object. */
const RESERVED_NAME = '__proto__';

/** Describes the columns of a table: all that its header or any of its rows has. */
export function describeColumns(headers: readonly string[], rows: readonly TableRow[]): Column[] {
  const fields = nameFields(headers);
  const columns = headers.map((header, at) => ({
    header: header.trim(),
    field: fields[at] ?? '',
    examples: [] as string[],
    values: 0,
  }));
  for (const { cells } of rows) {
    columns.forEach((column, at) => {
      const value = cells[at]?.trim() ?? '';
      if (value === '') return;
      column.values += 1;
      addExample(column.examples, value.slice(0, EXAMPLE_CHARACTERS));
    });
  }
  return columns;
}

function addExample(examples: string[], value: string): void {
  const isPlain = isAscii(value);
  if (!isPlain && (examples[0] === undefined || isAscii(examples[0]))) examples.unshift(value);
  else if (examples.length < SHOWN_EXAMPLES) examples.push(value);
  if (examples.length > SHOWN_EXAMPLES) examples.pop();
}

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/**
 * Returns a valid and different name for each column, so that no column replaces another: the second `Phone` is `Phone 2`,
 * and a column without a name, or with a name that no field may have, is called by its position.
 */
function nameFields(headers: readonly string[]): string[] {
  const taken = new Set<string>();
  return headers.map((header, at) => {
    const name = trimName(header.replace(FIELD_PREFIX, '').replaceAll('\0', ''));
    const base = name === '' || name === RESERVED_NAME ? strings.unnamedField(at + 1) : name;
    let field = shorten(base, '');
    for (let count = 2; taken.has(field); count += 1) field = shorten(base, ` ${count}`);
    taken.add(field);
    return field;
  });
}

function shorten(name: string, suffix: string): string {
  const length = CONTACT_LIMITS.fieldNameCharacters - suffix.length;
  const short = name.length > length ? `${name.slice(0, length - 1).toWellFormed()}…` : name;
  return `${short}${suffix}`;
}
