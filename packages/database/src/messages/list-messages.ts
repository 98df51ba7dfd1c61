import type pg from 'pg';
import type { Database } from '../database.ts';
import { runStatement } from '../run-statement.ts';
import { listFound, readFoundAfter } from '../search/list-found.ts';
import { countMatches } from './count-matches.ts';
import {
  type Bind,
  type Match,
  type MessageFilter,
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
  return read(pool, workspaceId, { offset, size: page.size }, (bind) =>
    matchMessages(filter, far === null ? range : { ...range, to: far.before }, bind),
  );
}

function read(
  pool: pg.Pool,
  workspaceId: string,
  { offset, size }: { offset: number; size: number },
  match: (bind: Bind) => Match[],
): Promise<StoredMessage[]> {
  const values: unknown[] = [workspaceId];
  const matches = match((value) => `$${values.push(value)}`);
  // Ids come from an index alone. Only the rows of the page are read.
  const ids = matches.map(({ kinds, where }) =>
    kinds === ''
      ? `SELECT m.id FROM messages m WHERE ${where}`
      : `SELECT found.id FROM ${kinds} LATERAL (
           SELECT m.id FROM messages m WHERE ${where} ORDER BY m.id DESC LIMIT ${offset + size}
         ) found`,
  );
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
      : read(pool, workspaceId, { offset: 0, size: page.size }, (bind) =>
          matchMessages(filter, timeRangeOf(filter), bind, page.after),
        );
}
