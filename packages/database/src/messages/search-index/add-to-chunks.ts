import { prefixInSql } from './chunks.ts';

/**
 * Parts of the statement that receives messages. One that is received late, from the provider's list for example,
 * has an id from the time when it was sent. If its neighbors are in a chunk already, searches read the messages of the chunk
 * until a worker has written its words again.
 */
export const ADD_TO_CHUNKS = `
chunks_of_late AS MATERIALIZED (
  SELECT i.workspace_id, c.last_id, count(*) AS messages, (array_agg(i.id ORDER BY i.id))[1] AS first_id
  FROM stored s JOIN input i ON i.id = s.id AND i.is_late CROSS JOIN LATERAL (
    SELECT last_id FROM message_chunks
    WHERE workspace_id = i.workspace_id AND last_id >= i.id ORDER BY last_id LIMIT 1
  ) c
  GROUP BY i.workspace_id, c.last_id
),
-- In the same order everywhere, so that two batches never wait for each other.
locked_chunks AS MATERIALIZED (
  SELECT c.workspace_id, c.last_id FROM chunks_of_late l JOIN message_chunks c USING (workspace_id, last_id)
  ORDER BY c.workspace_id, c.last_id FOR UPDATE OF c
),
added_to_chunks AS (
  UPDATE message_chunks c
  SET first_id = LEAST(c.first_id, l.first_id), messages = c.messages + l.messages, rule = 0,
    words = array_to_tsvector(ARRAY[${prefixInSql('c.workspace_id')}])
  FROM locked_chunks k JOIN chunks_of_late l USING (workspace_id, last_id)
  WHERE c.workspace_id = k.workspace_id AND c.last_id = k.last_id
)`;
