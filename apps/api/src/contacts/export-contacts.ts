import type { NumberFormat } from '@switchboard/contracts';
import type { ContactStore, StoredContact } from '@switchboard/database';
import {
  CSV_START,
  toCsvCell,
  toCsvLine,
  toNumberCell,
  toSafeCell,
  writeRows,
} from '../wire/to-csv-line.ts';

/** A page of the largest contacts has a megabyte, which takes a few milliseconds to read. */
const PAGE_SIZE = 100;

const FIRST_COLUMNS = ['number', 'name', 'tags', 'other_numbers'];

/** Writes all contacts of a workspace as CSV, one page of contacts at a time. */
export async function* exportContacts(
  contacts: Pick<ContactStore, 'list' | 'listFieldNames'>,
  workspaceId: string,
  format: NumberFormat = 'e164',
): AsyncGenerator<string, void, undefined> {
  const fieldNames = await contacts.listFieldNames(workspaceId);
  const columnOf = new Map(fieldNames.map((name, index) => [name, index]));
  yield `${CSV_START}${toCsvLine([...FIRST_COLUMNS, ...fieldNames.map((name) => `fields.${name}`)])}`;
  let after: Parameters<ContactStore['list']>[2]['after'] = null;
  do {
    const page: Awaited<ReturnType<ContactStore['list']>> = await contacts.list(
      workspaceId,
      {},
      { after, size: PAGE_SIZE },
    );
    yield* writeRows(page.contacts, (contact) => toLine(contact, columnOf, format));
    after = page.next;
  } while (after !== null);
}

/** Writes the cells of a contact. A contact has few of the columns, so it visits only its own. */
function toLine(
  contact: StoredContact,
  columnOf: ReadonlyMap<string, number>,
  format: NumberFormat,
): string {
  const { number, otherNumbers, name, tags, fields } = contact;
  const first = [
    toNumberCell(number, format),
    toSafeCell(name),
    toSafeCell(tags.join('; ')),
    otherNumbers.map((other) => toNumberCell(other, format)).join('; '),
  ];
  const values = Object.entries(fields)
    .map(([field, value]) => ({ column: columnOf.get(field) ?? -1, value }))
    // A name that is newer than the first line has no column.
    .filter(({ column }) => column >= 0)
    .toSorted((one, other) => one.column - other.column);
  let line = first.map(toCsvCell).join(',');
  let last = -1;
  for (const { column, value } of values) {
    line += `${','.repeat(column - last)}${toCsvCell(toSafeCell(value))}`;
    last = column;
  }
  return `${line}${','.repeat(columnOf.size - 1 - last)}\r\n`;
}
