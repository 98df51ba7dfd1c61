import pg from 'pg';
import { createParameters } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';
import type { createFindCollation } from './find-collation.ts';
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
  /** The language of the order; null for the order of lower-case letters. */
  language: string | null;
}

export interface ContactPageRequest {
  after: ContactPosition | null;
  size: number;
  /** Those of the person who reads the list, the preferred one first. A further page has the order of the first one. */
  languages?: readonly string[];
}

export interface ContactPage {
  contacts: StoredContact[];
  /** Where the next page starts; null at the end of the list. */
  next: ContactPosition | null;
}

/**
 * Lists contacts by name, those without a name last. Only the order without a language has an index: that of a language sorts
 * all matching contacts, which takes some 30 ms for 50,000.
 */
export async function listContacts(
  pool: pg.Pool,
  findCollation: ReturnType<typeof createFindCollation>,
  workspaceId: string,
  filter: ContactFilter,
  { after, size, languages = [] }: ContactPageRequest,
): Promise<ContactPage> {
  const ofPosition = after?.language == null ? [] : [after.language];
  const collation = await findCollation(after === null ? languages : ofPosition);
  const { bind, toQuery } = createParameters({ workspaceId });
  const where = ['workspace_id = :workspaceId::uuid'];
  if (filter.search !== undefined) where.push(matchSearch(filter.search, bind));
  if (filter.tag !== undefined) where.push(`${bind(filter.tag)} = ANY (tags)`);
  if (filter.numbers !== undefined) where.push(hasNumberOf(`${bind(filter.numbers)}::text[]`));
  const order = (name: string): string =>
    collation === null
      ? `lower(${name})`
      : `${name} COLLATE pg_catalog.${pg.escapeIdentifier(collation.name)}`;
  if (after !== null) {
    const name = `${bind(after.name)}::text`;
    where.push(
      `(name = '', ${order('name')}, id) > (${name} = '', ${order(name)}, ${bind(after.id)}::uuid)`,
    );
  }
  const contacts = await runStatement<StoredContact>(
    pool,
    ...toQuery(`SELECT id, number, other_numbers AS "otherNumbers", name, fields, tags,
       created_at AS "createdAt", updated_at AS "updatedAt"
     FROM contacts k WHERE ${where.join(' AND ')}
     ORDER BY (name = ''), ${order('name')}, id LIMIT ${bind(size + 1)}::int`),
  );
  const shown = contacts.slice(0, size);
  const last = shown.at(-1);
  const next =
    contacts.length > size && last !== undefined
      ? { name: last.name, id: last.id, language: collation?.language ?? null }
      : null;
  return { contacts: shown, next };
}
