import type pg from 'pg';
import { type Bind, createParameters } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { CHUNK_MESSAGES } from '../search-index/chunks.ts';
import { type SearchTerms, toIndexQuery, toPatterns } from './read-terms.ts';

/** How many messages outside chunks one step reads. */
const SCANNED = 5_000;
/** How many chunks with all words one step reads. The words may be in different messages of a chunk. */
const CHUNKS = 30;
/** How many of them it reads at first, for each chunk that its limit would fill: enough for frequent words. */
const CHUNKS_AT_FIRST = 4;

export interface FoundIds {
  /** Newest first. */
  ids: string[];
  /** Where the search continues; null at the end of the history. */
  next: string | null;
}

interface Step {
  workspaceId: string;
  terms: SearchTerms;
  /** Only messages with a lower id; null for all. */
  after: string | null;
  limit: number;
  /** Returns a further condition on the messages `m` that have the words. Default: none. */
  restriction?: (bind: Bind) => string;
  /** Whether the digits may be anywhere in a number, for messages outside chunks. */
  hasDigitsAnywhere?: boolean;
}

const matchNumber = (pattern: string): string => `(
  (cardinality(:patterns::text[]) > 0 AND s.body ~ ALL (:patterns::text[]))
  OR (:digits::text IS NOT NULL AND s.counterpart LIKE ${pattern}))`;

const MATCHES = matchNumber(`'%' || :digits::text`);
const MATCHES_ANYWHERE = matchNumber(`'%' || :digits::text || '%'`);

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Selects the messages of the workspace by their ids, with rows that only the primary key can compare. Otherwise PostgreSQL
 * may choose another index, which is not in the order of the ids.
 */
const isBetween = (first: string, last: string): string =>
  `(s.workspace_id, s.id) >= (:workspaceId::uuid, ${first}) AND (s.workspace_id, s.id) <= (:workspaceId::uuid, ${last})`;

const scan = (matches: string, lowest: string): string => `
WITH scanned AS MATERIALIZED (
  SELECT s.id, ${matches} AS matches FROM messages s
  WHERE ${isBetween(`COALESCE(${lowest}::uuid, '${LOWEST_ID}')`, `COALESCE(:position::uuid, '${HIGHEST_ID}')`)}
    AND s.id IS DISTINCT FROM :position::uuid AND s.id IS DISTINCT FROM ${lowest}::uuid
  ORDER BY s.workspace_id DESC, s.id DESC LIMIT ${SCANNED}
)
SELECT ARRAY(SELECT id FROM scanned WHERE matches ORDER BY id DESC LIMIT :limit::int) AS ids,
  CASE WHEN (SELECT count(*) FROM scanned) = ${SCANNED}
    THEN (SELECT id FROM scanned ORDER BY id LIMIT 1) END AS next`;

const readChunks = (matches: string, query: string, chunks: number): string => `
WITH chunk AS MATERIALIZED (
  SELECT first_id, last_id
  FROM find_message_chunks(:workspaceId::uuid, ${query}::tsquery, :position::uuid, ${chunks})
)
SELECT ARRAY(
    SELECT s.id FROM chunk CROSS JOIN LATERAL
      read_message_chunk(:workspaceId::uuid, chunk.first_id, chunk.last_id) AS s
    WHERE (:position::uuid IS NULL OR s.id < :position::uuid) AND ${matches}
    ORDER BY s.id DESC LIMIT :limit::int
  ) AS ids,
  CASE WHEN (SELECT count(*) FROM chunk) = ${chunks}
    THEN (SELECT first_id FROM chunk ORDER BY last_id LIMIT 1) END AS next`;

const LAST_CHUNK = `
SELECT last_id AS id FROM message_chunks WHERE workspace_id = $1::uuid
ORDER BY last_id DESC LIMIT 1`;

/** Reads the newest messages directly, and then the messages of chunks that contain the words. */
export async function findIds(pool: pg.Pool, step: Step): Promise<FoundIds> {
  const { workspaceId, terms, after, limit, restriction, hasDigitsAnywhere = false } = step;
  const run = async (
    toSql: (matches: string, own: string) => string,
    condition: string,
    position: string | null,
    own: unknown,
  ): Promise<FoundIds> => {
    const { bind, toQuery } = createParameters({
      workspaceId,
      patterns: toPatterns(terms),
      digits: terms.digits,
      limit,
      position,
      own,
    });
    // A scalar subquery is evaluated only for a message that has the words.
    const restricted =
      restriction === undefined
        ? condition
        : `(${condition} AND (SELECT ${restriction(bind)} FROM messages m
             WHERE m.workspace_id = :workspaceId::uuid AND m.id = s.id))`;
    const [found] = await runStatement<FoundIds>(pool, ...toQuery(toSql(restricted, ':own')));
    return found ?? NOTHING;
  };
  const [chunk] = await runStatement<{ id: string }>(pool, LAST_CHUNK, [workspaceId]);
  const matches = hasDigitsAnywhere ? MATCHES_ANYWHERE : MATCHES;
  const isScanned = chunk === undefined || after === null || after > chunk.id;
  const recent = isScanned ? await run(scan, matches, after, chunk?.id ?? null) : NOTHING;
  const isPage = recent.ids.length >= limit || recent.next !== null || chunk === undefined;
  if (isPage) return toPage(recent, limit);
  const query = toIndexQuery(workspaceId, terms);
  const read = (chunks: number, position: string | null): Promise<FoundIds> =>
    run((matching, own) => readChunks(matching, own, chunks), MATCHES, position, query);
  const atFirst = Math.min(CHUNKS, CHUNKS_AT_FIRST * Math.ceil(limit / CHUNK_MESSAGES));
  const near = await read(atFirst, isScanned ? null : after);
  const ids = [...recent.ids, ...near.ids];
  if (ids.length >= limit || near.next === null) return toPage({ ids, next: near.next }, limit);
  const far = await read(CHUNKS, near.next);
  return toPage({ ids: [...ids, ...far.ids], next: far.next }, limit);
}

const NOTHING: FoundIds = { ids: [], next: null };

function toPage({ ids, next }: FoundIds, limit: number): FoundIds {
  if (ids.length < limit) return { ids, next };
  const page = ids.slice(0, limit);
  return { ids: page, next: page.at(-1) ?? null };
}
