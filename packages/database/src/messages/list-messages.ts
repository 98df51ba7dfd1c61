import type pg from 'pg';
import type { Database } from '../database.ts';
import { runStatement } from '../run-statement.ts';
import { listFound, readFoundAfter } from '../search/list-found.ts';
import { countMatches } from './count-matches.ts';
import type { TimeRange } from './day-range.ts';
import { firstIdOf } from './id-range.ts';
import {
  type Bind,
  type Match,
  type MessageFilter,
  isByCountry,
  matchAllOfCountry,
  matchMessages,
  timeRangeOf,
} from './match-messages.ts';
import { skipDays } from './skip-days.ts';
import {
  STORED_MESSAGE_COLUMNS,
  STORED_MESSAGE_JOINS,
  type StoredMessage,
} from './stored-message.ts';

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

/** How many of the newest messages are read for a country before the indexes of numbers are. */
const NEWEST = 5_000;

/**
 * Reads the messages of a country from the newest ones, or, if these are too few, from all of that country: so neither a
 * country with most of the messages nor one with few of them makes a page slow.
 */
async function readMatching(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
  page: { range: TimeRange; beforeId: string | null; offset: number; size: number },
): Promise<StoredMessage[]> {
  const { range, beforeId } = page;
  const readFrom = (fromId: string | null): Promise<StoredMessage[]> =>
    read(pool, workspaceId, page, (bind) =>
      matchMessages(filter, range, bind, { fromId, beforeId }),
    );
  if (!isByCountry(filter)) return readFrom(null);
  const fromId = await findBound(pool, workspaceId, beforeId ?? endOf(range));
  const near = await readFrom(fromId);
  if (fromId === null || near.length === page.size) return near;
  return read(pool, workspaceId, page, (bind) =>
    matchAllOfCountry(filter, range, bind, { beforeId }),
  );
}

/** Returns the lowest id of the messages that are read at first; null if there are fewer. */
async function findBound(
  pool: pg.Pool,
  workspaceId: string,
  beforeId: string | null,
): Promise<string | null> {
  const [row] = await runStatement<{ id: string }>(
    pool,
    `SELECT id FROM messages WHERE workspace_id = $1::uuid AND ($2::uuid IS NULL OR id < $2::uuid)
     ORDER BY id DESC OFFSET ${NEWEST - 1} LIMIT 1`,
    [workspaceId, beforeId],
  );
  return row?.id ?? null;
}

const endOf = ({ to }: TimeRange): string | null => (to === null ? null : firstIdOf(new Date(to)));

function read(
  pool: pg.Pool,
  workspaceId: string,
  { offset, size }: { offset: number; size: number },
  match: (bind: Bind) => Match[],
): Promise<StoredMessage[]> {
  const values: unknown[] = [workspaceId];
  const matches = match((value) => `$${values.push(value)}`);
  // Ids come from an index alone. Only the rows of the page are read.
  const ids = matches.map(({ kinds, where, isUnordered }) => {
    const all = `SELECT m.id FROM messages m WHERE ${where}`;
    if (kinds === '') return all;
    // With OFFSET 0, PostgreSQL does not look for a few of them in the order of the ids.
    const matching = isUnordered ? `SELECT m.id FROM (${all} OFFSET 0) m` : all;
    return `SELECT found.id FROM ${kinds} LATERAL (
        ${matching} ORDER BY m.id DESC LIMIT ${offset + size}
      ) found`;
  });
  return runStatement<StoredMessage>(
    pool,
    `WITH page AS MATERIALIZED (${ids.join(' UNION ALL ')} ORDER BY id DESC LIMIT ${size} OFFSET ${offset})
     SELECT ${STORED_MESSAGE_COLUMNS} FROM page JOIN messages m USING (id) ${STORED_MESSAGE_JOINS}
     ORDER BY m.id DESC`,
    values,
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
