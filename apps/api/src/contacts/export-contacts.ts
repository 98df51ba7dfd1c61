import type { ContactStore, StoredContact } from '@switchboard/database';
import { CSV_START, toCsvLine, toSafeCell } from '../wire/to-csv-line.ts';

const PAGE_SIZE = 1_000;

/** Writes all contacts of a workspace as CSV, one page of contacts at a time. */
export async function* exportContacts(
  contacts: Pick<ContactStore, 'list' | 'listFieldNames'>,
  workspaceId: string,
): AsyncGenerator<string> {
  const fieldNames = await contacts.listFieldNames(workspaceId);
  yield `${CSV_START}${toCsvLine(['number', 'name', 'tags', 'other_numbers', ...fieldNames.map((name) => `fields.${name}`)])}`;
  let after: Parameters<ContactStore['list']>[2]['after'] = null;
  do {
    const page: Awaited<ReturnType<ContactStore['list']>> = await contacts.list(
      workspaceId,
      {},
      { after, size: PAGE_SIZE },
    );
    yield page.contacts.map((contact) => toCsvLine(toCells(contact, fieldNames))).join('');
    after = page.next;
  } while (after !== null);
}

function toCells(contact: StoredContact, fieldNames: string[]): string[] {
  const { number, otherNumbers, name, tags, fields } = contact;
  const values = fieldNames.map((field) => (Object.hasOwn(fields, field) ? fields[field] : ''));
  const [safeName = '', safeTags = '', ...safeValues] = [name, tags.join('; '), ...values].map(
    (text) => toSafeCell(text ?? ''),
  );
  // The plus sign of a phone number needs no escape, because only digits follow it.
  return [number, safeName, safeTags, otherNumbers.join('; '), ...safeValues];
}
