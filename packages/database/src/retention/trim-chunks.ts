import type { Mode } from '@switchboard/core';
import { firstIdOf } from '../messages/rows/id-range.ts';
import type { Run } from '../run-statement.ts';
import { prefixInSql } from '../messages/search-index/chunks.ts';

const MESSAGES_OF_CHUNK = `
messages m WHERE m.workspace_id = c.workspace_id AND m.id BETWEEN c.first_id AND c.last_id`;

const TRIM = `
WITH changed AS MATERIALIZED (
  SELECT c.workspace_id, c.first_id, c.last_id, (SELECT count(*) FROM ${MESSAGES_OF_CHUNK}) AS remaining
  FROM message_chunks c
  WHERE c.first_id < $1::uuid AND is_test_workspace(c.workspace_id) = $3::boolean AND c.messages > (SELECT count(*) FROM ${MESSAGES_OF_CHUNK})
  LIMIT $2::int FOR UPDATE SKIP LOCKED
),
deleted AS (
  DELETE FROM message_chunks d USING changed c
  WHERE d.workspace_id = c.workspace_id AND d.last_id = c.last_id AND c.remaining = 0
  RETURNING d.last_id
),
rewritten AS (
  UPDATE message_chunks d SET messages = c.remaining, rule = 0,
    words = array_to_tsvector(ARRAY[${prefixInSql('d.workspace_id')}])
  FROM changed c
  WHERE d.workspace_id = c.workspace_id AND d.last_id = c.last_id AND c.remaining > 0
  RETURNING d.last_id
)
SELECT (SELECT count(*) FROM deleted) + (SELECT count(*) FROM rewritten) AS count`;

/**
 * Removes the words of deleted messages from the search: deletes a chunk without messages, and removes all words of one
 * with messages. Searches read these, and a worker writes their words again. Returns the number of these chunks, at most
 * `limit`.
 */
export async function trimChunks(
  run: Run,
  { mode, before, limit }: { mode: Mode; before: Date; limit: number },
): Promise<number> {
  const values = [firstIdOf(before), limit, mode === 'test'];
  const [row] = await run<{ count: number }>(TRIM, values);
  return row?.count ?? 0;
}
