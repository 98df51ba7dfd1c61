import type pg from 'pg';
import type { Database } from '../database.ts';
import {
  OTHER_PARTY,
  STORED_MESSAGE_COLUMNS,
  STORED_MESSAGE_JOINS,
  type StoredMessage,
} from '../messages/stored-message.ts';
import { runStatement } from '../run-statement.ts';
import { type SearchTerms, readTerms, toIndexQuery, toPatterns } from './read-terms.ts';

export interface FoundMessages {
  messages: StoredMessage[];
  /** Where the search continues; null at the end of the history. A page may be short or empty. */
  next: string | null;
}

export type SearchMessages = ReturnType<typeof createSearchMessages>;

const PAGE_SIZE = 50;
/** How many messages that no chunk contains one page reads. */
const SCANNED = 5_000;
/** How many chunks with all words one page reads. The words may be in different messages of a chunk. */
const CHUNKS = 30;

/** Parameters: the workspace, the patterns, the digits. */
const MATCHES = `(
  (cardinality($2::text[]) > 0 AND lower(m.body) ~ ALL ($2::text[]))
  OR ($3::text IS NOT NULL AND ${OTHER_PARTY} LIKE '%' || $3::text))`;

const SCAN = `
WITH scanned AS MATERIALIZED (
  SELECT m.id, ${MATCHES} AS matches FROM messages m
  WHERE m.workspace_id = $1::uuid AND ($4::uuid IS NULL OR m.id < $4::uuid)
    AND ($5::uuid IS NULL OR m.id > $5::uuid)
  ORDER BY m.id DESC LIMIT ${SCANNED}
)
SELECT ARRAY(SELECT id FROM scanned WHERE matches ORDER BY id DESC LIMIT ${PAGE_SIZE}) AS ids,
  CASE WHEN (SELECT count(*) FROM scanned) = ${SCANNED}
    THEN (SELECT id FROM scanned ORDER BY id LIMIT 1) END AS next`;

const READ_CHUNKS = `
WITH matching AS MATERIALIZED (
  SELECT c.first_id, c.last_id FROM message_chunks c
  WHERE c.words @@ $5::tsquery AND (c.workspace_id = $1::uuid) IS TRUE
), chunk AS MATERIALIZED (
  SELECT first_id, last_id FROM matching WHERE $4::uuid IS NULL OR first_id < $4::uuid
  ORDER BY last_id DESC LIMIT ${CHUNKS}
)
SELECT ARRAY(
    SELECT found.id FROM chunk CROSS JOIN LATERAL (
      SELECT m.id FROM messages m WHERE m.workspace_id = $1::uuid
        AND m.id BETWEEN chunk.first_id AND chunk.last_id
        AND ($4::uuid IS NULL OR m.id < $4::uuid) AND ${MATCHES}
    ) found
    ORDER BY found.id DESC LIMIT ${PAGE_SIZE}
  ) AS ids,
  CASE WHEN (SELECT count(*) FROM chunk) = ${CHUNKS}
    THEN (SELECT first_id FROM chunk ORDER BY last_id LIMIT 1) END AS next`;

const LAST_CHUNK = `
SELECT last_id AS id FROM message_chunks WHERE workspace_id = $1::uuid
ORDER BY last_id DESC LIMIT 1`;

const READ = `
SELECT ${STORED_MESSAGE_COLUMNS} FROM messages m ${STORED_MESSAGE_JOINS}
WHERE m.workspace_id = $1::uuid AND m.id = ANY ($2::uuid[]) ORDER BY m.id DESC`;

/** Creates the search for words in texts and for numbers, newest first, over the whole history. */
export function createSearchMessages({ pool }: Pick<Database, 'pool'>) {
  return async function searchMessages(
    workspaceId: string,
    text: string,
    after: string | null,
  ): Promise<FoundMessages> {
    const terms = readTerms(text);
    if (terms.words.length === 0 && terms.digits === null) return { messages: [], next: null };
    const { ids, next } = await findIds(pool, workspaceId, terms, after);
    const messages = await runStatement<StoredMessage>(pool, READ, [workspaceId, ids]);
    return { messages, next };
  };
}

interface FoundIds {
  ids: string[];
  next: string | null;
}

/** Reads the newest messages themselves, then those of chunks that contain the words. */
async function findIds(
  pool: pg.Pool,
  workspaceId: string,
  terms: SearchTerms,
  after: string | null,
): Promise<FoundIds> {
  const values = [workspaceId, toPatterns(terms), terms.digits];
  const run = async (sql: string, more: unknown[]): Promise<FoundIds> => {
    const [found] = await runStatement<FoundIds>(pool, sql, [...values, ...more]);
    return found ?? { ids: [], next: null };
  };
  const [chunk] = await runStatement<{ id: string }>(pool, LAST_CHUNK, [workspaceId]);
  const isScanned = chunk === undefined || after === null || after > chunk.id;
  const recent = isScanned ? await run(SCAN, [after, chunk?.id ?? null]) : NOTHING;
  const isPage = recent.ids.length === PAGE_SIZE || recent.next !== null || chunk === undefined;
  if (isPage) return toPage(recent);
  const older = await run(READ_CHUNKS, [
    isScanned ? null : after,
    toIndexQuery(workspaceId, terms),
  ]);
  return toPage({ ids: [...recent.ids, ...older.ids], next: older.next });
}

const NOTHING: FoundIds = { ids: [], next: null };

function toPage({ ids, next }: FoundIds): FoundIds {
  if (ids.length < PAGE_SIZE) return { ids, next };
  const page = ids.slice(0, PAGE_SIZE);
  return { ids: page, next: page.at(-1) ?? null };
}
