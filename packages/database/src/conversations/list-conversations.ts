import { ERASED } from '@switchboard/core';
import type { Database } from '../database.ts';
import { findNumberPattern, matchSearch } from '../contacts/match-search.ts';
import { NUMBERS_OF_CONTACT } from '../contacts/stored-contact.ts';
import { type Bind, createParameters, named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';
import { STORED_MESSAGE_JOINS } from '../messages/rows/stored-message.ts';
import {
  CONVERSATION_COLUMNS,
  type ConversationRow,
  type StoredConversation,
  isClosed,
  isUnread,
  toConversations,
} from './stored-conversation.ts';

export interface ConversationFilter {
  state?: 'open' | 'closed';
  /** Null selects conversations without an assignee. */
  assigneeId?: string | null;
  isUnread?: boolean;
  /** Words from a contact, or part of a number. */
  search?: string;
}

export interface ConversationPage {
  conversations: StoredConversation[];
  /** Where the next page starts; null at the end of the history. */
  next: string | null;
}

export type ListConversations = ReturnType<typeof createListConversations>;

const PAGE_SIZE = 50;
/** How many messages one page may read, so that no history makes it slow. */
const SCANNED = 5_000;
/**
 * The same limit for a page that may skip most conversations: first the lower one, and if the
 * messages do not fill the page, the higher one.
 */
const SCANNED_FIRST = 2_000;
const SCANNED_BY_FILTER = 20_000;
/** How many conversations of one member, or contacts of one search, a page considers. */
const NUMBERS_MAX = 500;

const scan = (limit: number): string => `
scanned AS MATERIALIZED (
  SELECT m.id, NULLIF(m.counterpart, '${ERASED}') AS number
  FROM messages m
  WHERE m.workspace_id = :workspaceId::uuid AND (:after::uuid IS NULL OR m.id < :after::uuid)
  ORDER BY m.id DESC LIMIT ${limit}
)`;

/** The last message of a number has no later message of that number. */
const IS_LAST = `NOT EXISTS (
  SELECT 1 FROM messages n
  WHERE n.workspace_id = :workspaceId::uuid AND n.counterpart = s.number AND n.id > s.id)`;

/** The number of scanned messages matters only if they do not fill the page: a full page ends the scan. */
const SCAN_ALL = `${scan(SCANNED)}, latest AS (
  SELECT s.id, s.number FROM scanned s WHERE s.number IS NOT NULL AND ${IS_LAST}
)`;

/**
 * A filter may match few conversations, so it is checked once for each number before the lookups, which
 * the first page does not need: there, the newest scanned message of a number is its last one.
 */
const scanMatching = (limit: number, where: readonly string[]): string => `
${scan(limit)}, newest AS MATERIALIZED (
  SELECT DISTINCT ON (s.number) s.id, s.number FROM scanned s
  WHERE s.number IS NOT NULL ORDER BY s.number, s.id DESC
), matching AS MATERIALIZED (SELECT s.id, s.number FROM newest s ${joinConversation(where)}),
latest AS (SELECT s.id, s.number FROM matching s WHERE :after::uuid IS NULL OR (${IS_LAST}))`;

const joinConversation = (where: readonly string[]): string =>
  where.length === 0
    ? ''
    : `JOIN workspaces w ON w.id = :workspaceId::uuid
       LEFT JOIN conversations c ON c.workspace_id = :workspaceId::uuid AND c.number = s.number
       WHERE ${where.join(' AND ')}`;

/** Finds the last message of each of a few numbers. */
const lookUp = (numbers: string): string => `
numbers AS MATERIALIZED (${numbers}), scanned AS (SELECT NULL::uuid AS id WHERE false),
latest AS MATERIALIZED (
  SELECT last.id, s.number FROM numbers s CROSS JOIN LATERAL (
    SELECT m.id FROM messages m WHERE m.workspace_id = :workspaceId::uuid AND m.counterpart = s.number
    ORDER BY m.id DESC LIMIT 1
  ) last
  WHERE :after::uuid IS NULL OR last.id < :after::uuid
)`;

/**
 * Creates the list of the numbers that a workspace has exchanged messages with, by the last message,
 * newest first.
 */
export function createListConversations({ pool }: Pick<Database, 'pool'>) {
  return async function listConversations(
    workspaceId: string,
    filter: ConversationFilter,
    after: string | null,
  ): Promise<ConversationPage> {
    const { bind, toQuery } = createParameters({ workspaceId, after });
    const numbers = findNumbers(filter, bind);
    const where = matchConversations(filter, bind);
    const read = async (source: string, limit: number): Promise<ConversationPage> => {
      const conditions = numbers === null ? [] : where;
      const rows = await runStatement<Row>(pool, ...toQuery(selectPage(source, conditions)));
      const found = rows.filter(isFound);
      return toPage(rows, await toConversations(pool, workspaceId, found), limit);
    };
    if (numbers !== null) return read(lookUp(numbers), Infinity);
    if (where.length === 0) return read(SCAN_ALL, SCANNED);
    // If a filter matches many conversations, a few messages fill the page.
    const near = await read(scanMatching(SCANNED_FIRST, where), SCANNED_FIRST);
    if (near.conversations.length === PAGE_SIZE || near.next === null) return near;
    return read(scanMatching(SCANNED_BY_FILTER, where), SCANNED_BY_FILTER);
  };
}

function toPage(
  rows: readonly Row[],
  conversations: StoredConversation[],
  limit: number,
): ConversationPage {
  if (conversations.length === PAGE_SIZE) {
    return { conversations, next: conversations.at(-1)?.lastMessage.id ?? null };
  }
  const [first] = rows;
  const isScanFull = first !== undefined && first.scanned >= limit;
  return { conversations, next: isScanFull ? first.lastScanned : null };
}

const FIND = selectPage(lookUp('SELECT :number::text AS number'), []);

/** Finds the conversation with one number; null if there is no message from or to it. */
export function createFindConversation({ pool }: Pick<Database, 'pool'>) {
  return async (workspaceId: string, number: string): Promise<StoredConversation | null> => {
    const values = { workspaceId, after: null, number };
    const rows = await runStatement<Row>(pool, ...named(FIND, values));
    const [found] = await toConversations(pool, workspaceId, rows.filter(isFound));
    return found ?? null;
  };
}

interface Row extends ConversationRow {
  scanned: number;
  lastScanned: string | null;
}

const isFound = (row: { number: string | null }): boolean => row.number !== null;

function selectPage(source: string, where: readonly string[]): string {
  return `
WITH ${source}, found AS MATERIALIZED (
  SELECT s.id, s.number FROM latest s ${joinConversation(where)}
  ORDER BY s.id DESC LIMIT ${PAGE_SIZE}
)
SELECT ${CONVERSATION_COLUMNS}, e.scanned, e."lastScanned"
FROM (
  SELECT count(*) AS scanned, (array_agg(s.id ORDER BY s.id))[1] AS "lastScanned" FROM scanned s
  WHERE (SELECT count(*) FROM found) < ${PAGE_SIZE}
) e
LEFT JOIN found f ON true
LEFT JOIN messages m ON m.workspace_id = :workspaceId::uuid AND m.id = f.id ${STORED_MESSAGE_JOINS}
LEFT JOIN workspaces w ON w.id = :workspaceId::uuid
LEFT JOIN conversations c ON c.workspace_id = :workspaceId::uuid AND c.number = f.number
ORDER BY f.id DESC`;
}

/** Returns the statement that finds the numbers, or null if all conversations are read. */
function findNumbers({ assigneeId, search }: ConversationFilter, bind: Bind): string | null {
  if (typeof assigneeId === 'string') {
    return `SELECT number FROM conversations
      WHERE workspace_id = :workspaceId::uuid AND assignee_id = ${bind(assigneeId)}::uuid
      ORDER BY updated_at DESC LIMIT ${NUMBERS_MAX}`;
  }
  if (search === undefined) return null;
  const contacts = `(SELECT unnest(${NUMBERS_OF_CONTACT}) AS number FROM contacts k
    WHERE k.workspace_id = :workspaceId::uuid AND ${matchSearch(search, bind)} LIMIT ${NUMBERS_MAX})`;
  const pattern = findNumberPattern(search);
  if (pattern === null) return contacts;
  return `${contacts} UNION (SELECT number FROM (
      SELECT m.counterpart AS number FROM messages m WHERE m.workspace_id = :workspaceId::uuid
      ORDER BY m.id DESC LIMIT ${SCANNED_BY_FILTER}
    ) recent WHERE number LIKE ${bind(pattern)} LIMIT ${NUMBERS_MAX})`;
}

/** Returns the conditions on the conversations `s` that the list of numbers does not imply. */
function matchConversations(filter: ConversationFilter, bind: Bind): string[] {
  const { state, assigneeId, search } = filter;
  const where: string[] = [];
  if (assigneeId === null) where.push('c.assignee_id IS NULL');
  if (typeof assigneeId === 'string' && search !== undefined) {
    where.push(`s.number IN (SELECT unnest(${NUMBERS_OF_CONTACT}) FROM contacts k
      WHERE k.workspace_id = :workspaceId::uuid AND ${matchSearch(search, bind)})`);
  }
  if (state !== undefined) where.push(`${state === 'open' ? 'NOT ' : ''}${isClosed('s.number')}`);
  if (filter.isUnread === true) where.push(isUnread('s.number'));
  return where;
}
