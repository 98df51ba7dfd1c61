import { SEARCH_MATCHES_MAX } from '@switchboard/core';
import type pg from 'pg';
import { matchSearch } from '../../contacts/match-search.ts';
import { NUMBERS_OF_CONTACT } from '../../contacts/stored-contact.ts';
import { matchFilters } from '../filters/match-messages.ts';
import type { MessageFilter } from '../filters/message-filter.ts';
import type { StoredMessage } from '../rows/stored-message.ts';
import { type Bind, createParameters } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { findIds } from './find-ids.ts';
import { readByIds } from './read-by-ids.ts';
import { isEmpty, readTerms } from './read-terms.ts';

/** A search ends after this many steps, so that it also ends in a very long history. */
const STEPS = 40;
/** How many numbers of contacts a search considers. */
const NUMBERS = 100;

/** Returns a page of the messages that match both a search and the other filters, newest first. */
export async function listFound(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
  page: { number: number; size: number },
): Promise<{ messages: StoredMessage[]; total: number }> {
  const ids = await findAll(pool, workspaceId, filter);
  const offset = (page.number - 1) * page.size;
  const shown = ids.slice(offset, offset + page.size);
  return { messages: await readByIds(pool, workspaceId, shown), total: ids.length };
}

/** Reads the found messages after one of them. */
export async function readFoundAfter(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
  { after, size }: { after: string | null; size: number },
): Promise<StoredMessage[]> {
  const ids = await findAll(pool, workspaceId, filter);
  const rest = after === null ? ids : ids.filter((id) => id < after);
  return readByIds(pool, workspaceId, rest.slice(0, size));
}

/** Returns the newest ids, at most `SEARCH_MATCHES_MAX`. */
async function findAll(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
): Promise<string[]> {
  const [byText, byContact] = await Promise.all([
    findByText(pool, workspaceId, filter),
    findByContact(pool, workspaceId, filter),
  ]);
  const ids = [...new Set([...byText, ...byContact])];
  return ids.toSorted((a, b) => (a < b ? 1 : -1)).slice(0, SEARCH_MATCHES_MAX);
}

async function findByText(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
): Promise<string[]> {
  const terms = readTerms(filter.search ?? '');
  if (isEmpty(terms)) return [];
  const restriction = (bind: Bind): string => matchFilters(filter, bind);
  const ids: string[] = [];
  let after: string | null = null;
  for (let steps = 0; steps < STEPS; steps += 1) {
    const limit = SEARCH_MATCHES_MAX - ids.length;
    const found = await findIds(pool, {
      workspaceId,
      terms,
      after,
      limit,
      restriction,
      hasDigitsAnywhere: true,
    });
    ids.push(...found.ids);
    after = found.next;
    if (after === null || ids.length >= SEARCH_MATCHES_MAX) return ids;
  }
  return ids;
}

/** Finds the messages of contacts that match the words or have part of the number. */
async function findByContact(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
): Promise<string[]> {
  const { bind, toQuery } = createParameters({ workspaceId });
  if (isEmpty(readTerms(filter.search ?? ''))) return [];
  const matching = matchSearch(filter.search ?? '', bind);
  const where = matchFilters(filter, bind);
  const rows = await runStatement<{ id: string }>(
    pool,
    ...toQuery(`WITH numbers AS MATERIALIZED (
       SELECT unnest(${NUMBERS_OF_CONTACT}) AS number FROM contacts k
       WHERE k.workspace_id = :workspaceId::uuid AND ${matching} LIMIT ${NUMBERS}
     )
     SELECT found.id FROM numbers n CROSS JOIN LATERAL (
       SELECT m.id FROM messages m
       WHERE m.workspace_id = :workspaceId::uuid AND m.counterpart = n.number AND ${where} OFFSET 0
     ) found
     ORDER BY found.id DESC LIMIT ${SEARCH_MATCHES_MAX}`),
  );
  return rows.map(({ id }) => id);
}
