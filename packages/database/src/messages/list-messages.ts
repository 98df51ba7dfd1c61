import type pg from 'pg';
import type { Database } from '../database.ts';
import { runStatement } from '../sql-error.ts';
import { countMatches } from './count-matches.ts';
import { firstIdOf, lastIdOf } from './id-range.ts';
import type { MessageFilter } from './message-filter.ts';
import { STORED_MESSAGE_COLUMNS, type StoredMessage } from './stored-message.ts';

export interface MessagePage {
  messages: StoredMessage[];
  total: number;
}

/** One page of a workspace's history, newest first, with the exact number of all that match. */
export async function listMessages(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
  page: { number: number; size: number },
): Promise<MessagePage> {
  const total = await countMatches(pool, workspaceId, filter);
  const offset = (page.number - 1) * page.size;
  // PostgreSQL refuses a huge offset; a page past the end needs no query.
  if (offset >= total) return { messages: [], total };

  const values: unknown[] = [workspaceId];
  const conditions = ['m.workspace_id = $1::uuid'];
  const add = (sql: (placeholder: string) => string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(sql(`$${values.length}`));
  };
  add((p) => `m.direction = ${p}::direction`, filter.direction);
  add((p) => `m.status = ${p}::message_status`, filter.status);
  add((p) => `m."from" = ${p}`, filter.from);
  add((p) => `m."to" = ${p}`, filter.to);
  // `created_at` is the time inside the id, so the bounds are bounds of the index on id.
  add((p) => `m.id > ${p}::uuid`, filter.after && lastIdOf(filter.after));
  add((p) => `m.id < ${p}::uuid`, filter.before && firstIdOf(filter.before));

  const messages = await runStatement<StoredMessage>(
    pool,
    `SELECT ${STORED_MESSAGE_COLUMNS} FROM messages m WHERE ${conditions.join(' AND ')}
     ORDER BY m.id DESC LIMIT ${page.size} OFFSET ${offset}`,
    values,
  );
  return { messages, total };
}

export type ListMessages = ReturnType<typeof createListMessages>;

export function createListMessages({ pool }: Pick<Database, 'pool'>) {
  return (
    workspaceId: string,
    filter: MessageFilter,
    page: { number: number; size: number },
  ): Promise<MessagePage> => listMessages(pool, workspaceId, filter, page);
}
