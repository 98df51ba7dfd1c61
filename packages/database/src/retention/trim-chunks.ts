import { firstIdOf } from '../messages/id-range.ts';
import type { Run } from '../run-statement.ts';
import { OTHER_PARTY } from '../messages/stored-message.ts';
import { readWords } from '../search/chunks.ts';
import { PREFIX } from '../search/read-terms.ts';

const MESSAGES_OF_CHUNK = `
messages m WHERE m.workspace_id = c.workspace_id AND m.id BETWEEN c.first_id AND c.last_id`;

const TRIM = `
WITH changed AS MATERIALIZED (
  SELECT c.workspace_id, c.first_id, c.last_id, (SELECT count(*) FROM ${MESSAGES_OF_CHUNK}) AS remaining
  FROM message_chunks c
  WHERE c.first_id < $1::uuid AND c.messages > (SELECT count(*) FROM ${MESSAGES_OF_CHUNK})
  LIMIT $2::int FOR UPDATE SKIP LOCKED
),
deleted AS (
  DELETE FROM message_chunks d USING changed c
  WHERE d.workspace_id = c.workspace_id AND d.last_id = c.last_id AND c.remaining = 0
  RETURNING d.last_id
),
rewritten AS (
  UPDATE message_chunks d SET messages = c.remaining, words = c.words
  FROM (
    SELECT c.*, (
      SELECT array_to_tsvector(COALESCE(array_agg(
        DISTINCT ${PREFIX.replace('$1', 'c.workspace_id')} || word), '{}'))
      FROM (SELECT m.body, ${OTHER_PARTY} AS number FROM ${MESSAGES_OF_CHUNK}) kept
        CROSS JOIN LATERAL (${readWords('kept')}) AS of_message(word)
    ) AS words
    FROM changed c WHERE c.remaining > 0
  ) c
  WHERE d.workspace_id = c.workspace_id AND d.last_id = c.last_id
  RETURNING d.last_id
)
SELECT (SELECT count(*) FROM deleted) + (SELECT count(*) FROM rewritten) AS count`;

/**
 * Removes the words of deleted messages from the search: rewrites a chunk from the messages that are
 * left, or deletes it if none are left. Returns the number of these chunks, at most `limit`.
 */
export async function trimChunks(run: Run, old: { before: Date; limit: number }): Promise<number> {
  const [row] = await run<{ count: number }>(TRIM, [firstIdOf(old.before), old.limit]);
  return row?.count ?? 0;
}
