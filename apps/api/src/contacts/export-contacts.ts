import { escapeFormula } from '@switchboard/contracts';
import type { ContactStore, StoredContact } from '@switchboard/database';

const PAGE_SIZE = 1_000;

/** Writes all contacts of a workspace as CSV (RFC 4180), one page of contacts at a time. */
export async function* exportContacts(
  contacts: Pick<ContactStore, 'list' | 'listFieldNames'>,
  workspaceId: string,
): AsyncGenerator<string> {
  const fieldNames = await contacts.listFieldNames(workspaceId);
  // Excel reads a file as UTF-8 only if it begins with this mark.
  yield `\uFEFF${toLine(['number', 'name', 'tags', ...fieldNames.map((name) => `fields.${name}`)])}`;
  let after: Parameters<ContactStore['list']>[2]['after'] = null;
  do {
    const page: Awaited<ReturnType<ContactStore['list']>> = await contacts.list(
      workspaceId,
      {},
      { after, size: PAGE_SIZE },
    );
    yield page.contacts.map((contact) => toLine(toCells(contact, fieldNames))).join('');
    after = page.next;
  } while (after !== null);
}

function toCells({ number, name, tags, fields }: StoredContact, fieldNames: string[]): string[] {
  const values = fieldNames.map((field) => (Object.hasOwn(fields, field) ? fields[field] : ''));
  // The plus sign of a phone number needs no escape, because only digits follow it.
  return [number, ...[name, tags.join('; '), ...values].map((text) => escapeFormula(text ?? ''))];
}

function toLine(cells: readonly string[]): string {
  return `${cells.map(quote).join(',')}\r\n`;
}

function quote(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
