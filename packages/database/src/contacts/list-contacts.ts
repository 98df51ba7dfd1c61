import type pg from 'pg';
import { runStatement } from '../run-statement.ts';
import { matchSearch } from './match-search.ts';
import { type StoredContact, hasNumberOf } from './stored-contact.ts';

export interface ContactFilter {
  /** Words from a name, tag or field, or part of a number in any notation. */
  search?: string;
  tag?: string;
  numbers?: readonly string[];
}

/** A place in the list, which stays valid if the contact is deleted. */
export interface ContactPosition {
  name: string;
  id: string;
}

export interface ContactPage {
  contacts: StoredContact[];
  /** Where the next page starts; null at the end of the list. */
  next: ContactPosition | null;
}

/** Lists contacts by name, those without a name last. */
export async function listContacts(
  pool: pg.Pool,
  workspaceId: string,
  filter: ContactFilter,
  page: { after: ContactPosition | null; size: number },
): Promise<ContactPage> {
  const values: unknown[] = [workspaceId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = ['workspace_id = $1::uuid'];
  if (filter.search !== undefined) where.push(matchSearch(filter.search, bind));
  if (filter.tag !== undefined) where.push(`${bind(filter.tag)} = ANY (tags)`);
  if (filter.numbers !== undefined) where.push(hasNumberOf(`${bind(filter.numbers)}::text[]`));
  if (page.after !== null) {
    const name = `${bind(page.after.name)}::text`;
    where.push(
      `(name = '', lower(name), id) > (${name} = '', lower(${name}), ${bind(page.after.id)}::uuid)`,
    );
  }
  const contacts = await runStatement<StoredContact>(
    pool,
    `SELECT id, number, other_numbers AS "otherNumbers", name, fields, tags,
       created_at AS "createdAt", updated_at AS "updatedAt"
     FROM contacts k WHERE ${where.join(' AND ')}
     ORDER BY (name = ''), lower(name), id LIMIT ${bind(page.size + 1)}::int`,
    values,
  );
  const shown = contacts.slice(0, page.size);
  const last = shown.at(-1);
  const next =
    contacts.length > page.size && last !== undefined ? { name: last.name, id: last.id } : null;
  return { contacts: shown, next };
}
