import type pg from 'pg';
import type { Database } from '../../database.ts';
import { type Bind, createParameters, named } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { listFound, readFoundAfter } from '../search/list-found.ts';
import { countMatches } from '../counts/count-matches.ts';
import type { TimeRange } from '../rows/day-range.ts';
import { MAX_ID, MIN_ID, firstIdOf } from '../rows/id-range.ts';
import {
  type Match,
  hasCountry,
  matchAllOfCountry,
  matchMessages,
  timeRangeOf,
} from '../filters/match-messages.ts';
import type { MessageFilter } from '../filters/message-filter.ts';
import { matchInDays } from './match-in-days.ts';
import { readsByCountry } from '../counts/reads-by-country.ts';
import { skipDays } from './skip-days.ts';
import {
  STORED_MESSAGE_COLUMNS,
  STORED_MESSAGE_JOINS,
  type StoredMessage,
} from '../rows/stored-message.ts';
import { hasStoredCounts } from '../counts/stored-days.ts';

export interface MessagePage {
  messages: StoredMessage[];
  total: number;
}

/** Returns one page of a workspace's history, newest first, with the exact number of all matches. */
export async function listMessages(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
  page: { number: number; size: number },
): Promise<MessagePage> {
  if (filter.search !== undefined) return listFound(pool, workspaceId, filter, page);
  const total = await countMatches(pool, workspaceId, filter);
  const offset = (page.number - 1) * page.size;
  // PostgreSQL refuses a huge offset; a page past the end needs no query.
  if (offset >= total) return { messages: [], total };
  return {
    messages: await readPage(pool, workspaceId, filter, { offset, size: page.size }),
    total,
  };
}

/** Returns the page without the total. A page at or past the end costs a scan of all matches. */
export async function readPage(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
  page: { offset: number; size: number },
): Promise<StoredMessage[]> {
  const far = await skipDays(pool, workspaceId, filter, page.offset);
  const offset = far?.offset ?? page.offset;
  const range = timeRangeOf(filter);
  return readMatching(pool, workspaceId, filter, {
    range: far === null ? range : { ...range, to: far.before },
    beforeId: null,
    offset,
    size: page.size,
  });
}

/** How many of the newest messages are read before the indexes of numbers, which are not in id order. */
const NEWEST = 5_000;
/** Adding up the stored counts costs less. */
const NEWEST_BEFORE_COUNTS = 1_000;

/**
 * Reads the newest messages, and, if too few of them match, those that the indexes of numbers or the stored counts show: so
 * neither a country, an API key or an account with most of the messages nor one with few of them makes a page slow.
 */
async function readMatching(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
  page: { range: TimeRange; beforeId: string | null; offset: number; size: number },
): Promise<StoredMessage[]> {
  const { range, beforeId } = page;
  const readAll = (match: typeof matchMessages): Promise<StoredMessage[]> =>
    read(pool, workspaceId, page, (bind) => ({
      matches: match(filter, range, bind, { beforeId }),
    }));
  if (!hasCountry(filter) && !hasStoredCounts(filter)) return readAll(matchMessages);
  const near = await read(pool, workspaceId, page, (bind) => ({
    tables: newestIds(filter, page, bind),
    matches: matchMessages(filter, range, bind, { beforeId, within: 'newest' }),
  }));
  if (near.length === page.size) return near;
  // Of users, all messages have been read.
  if (filter.sentBy !== undefined && !(await hasApiKey(pool, workspaceId, filter.sentBy))) {
    return near;
  }
  if (hasCountry(filter)) {
    const isByCountry = await readsByCountry(pool, workspaceId, filter);
    return readAll(isByCountry ? matchAllOfCountry : matchMessages);
  }
  return read(pool, workspaceId, page, (bind, limit) => matchInDays(filter, page, bind, limit));
}

/**
 * Returns the table of the ids that are read at first. These are all ids if the filter has only users, because an
 * index finds their messages.
 */
function newestIds(
  filter: MessageFilter,
  { range, beforeId }: { range: TimeRange; beforeId: string | null },
  bind: Bind,
): string {
  const ends = [beforeId, range.to === null ? null : firstIdOf(new Date(range.to))];
  const where = [
    'workspace_id = :workspaceId::uuid',
    ...ends.flatMap((end) => (end === null ? [] : [`id < ${bind(end)}::uuid`])),
    ...(filter.sentBy ? [`EXISTS (${apiKeysOf(bind(filter.sentBy))})`] : []),
  ];
  const newest = hasCountry(filter) ? NEWEST : NEWEST_BEFORE_COUNTS;
  return `newest AS MATERIALIZED (
    SELECT COALESCE((
      SELECT id FROM messages WHERE ${where.join(' AND ')} ORDER BY id DESC OFFSET ${newest - 1} LIMIT 1
    ), '${MIN_ID}'::uuid) AS "from", '${MAX_ID}'::uuid AS "to"
  )`;
}

const apiKeysOf = (ids: string): string =>
  `SELECT FROM api_keys WHERE workspace_id = :workspaceId::uuid AND id = ANY(${ids}::uuid[])`;

async function hasApiKey(
  pool: pg.Pool,
  workspaceId: string,
  ids: readonly string[],
): Promise<boolean> {
  const find = named(`${apiKeysOf(':ids')} LIMIT 1`, { workspaceId, ids });
  return (await runStatement(pool, ...find)).length > 0;
}

function read(
  pool: pg.Pool,
  workspaceId: string,
  { offset, size }: { offset: number; size: number },
  match: (bind: Bind, limit: number) => { tables?: string; matches: Match[] },
): Promise<StoredMessage[]> {
  const { bind, toQuery } = createParameters({ workspaceId });
  const limit = offset + size;
  const { tables, matches } = match(bind, limit);
  // Ids come from an index alone. Only the rows of the page are read.
  const ids = matches.map((part) => {
    const { kinds, isUnordered } = part;
    const all = `SELECT m.id FROM ${part.from}`;
    if (kinds === '') return all;
    // With OFFSET 0, PostgreSQL does not look for a few of them in the order of the ids.
    const found = isUnordered ? `SELECT m.id FROM (${all} OFFSET 0) m` : all;
    return `SELECT found.id FROM ${kinds} LATERAL (
        ${found} ORDER BY m.id DESC LIMIT ${limit}
      ) found`;
  });
  return runStatement<StoredMessage>(
    pool,
    ...toQuery(`WITH ${tables === undefined ? '' : `${tables},`} page AS MATERIALIZED (${ids.join(' UNION ALL ')} ORDER BY id DESC LIMIT ${size} OFFSET ${offset})
     SELECT ${STORED_MESSAGE_COLUMNS} FROM page
       JOIN messages m ON m.workspace_id = :workspaceId::uuid AND m.id = page.id ${STORED_MESSAGE_JOINS}
     ORDER BY m.id DESC`),
  );
}

export type ListMessages = ReturnType<typeof createListMessages>;

export function createListMessages({ pool }: Pick<Database, 'pool'>) {
  return (
    workspaceId: string,
    filter: MessageFilter,
    page: { number: number; size: number },
  ): Promise<MessagePage> => listMessages(pool, workspaceId, filter, page);
}

export type ReadMessagesAfter = ReturnType<typeof createReadMessagesAfter>;

/** Reads the messages after a page, by the last id of that page. Any number of pages costs the same. */
export function createReadMessagesAfter({ pool }: Pick<Database, 'pool'>) {
  return (
    workspaceId: string,
    filter: MessageFilter,
    page: { after: string | null; size: number },
  ): Promise<StoredMessage[]> =>
    filter.search !== undefined
      ? readFoundAfter(pool, workspaceId, filter, page)
      : readMatching(pool, workspaceId, filter, {
          range: timeRangeOf(filter),
          beforeId: page.after,
          offset: 0,
          size: page.size,
        });
}
