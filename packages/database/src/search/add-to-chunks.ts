import { readWords } from './chunks.ts';
import { PREFIX } from './read-terms.ts';

/**
 * Parts of the statement that receives messages. One that is received late, from the provider's list for example,
 * has an id from the time when it was sent. If its neighbors are in a chunk already, its words are added to theirs.
 */
export const ADD_TO_CHUNKS = `
chunks_of_late AS MATERIALIZED (
  SELECT i.id, i.workspace_id, i.body, i."from" AS number, c.last_id
  FROM stored s JOIN input i ON i.id = s.id AND i.is_late CROSS JOIN LATERAL (
    SELECT last_id FROM message_chunks
    WHERE workspace_id = i.workspace_id AND last_id >= i.id ORDER BY last_id LIMIT 1
  ) c
),
added_words AS (
  SELECT l.workspace_id, l.last_id, array_agg(l.id ORDER BY l.id) AS ids,
    array_to_tsvector(array_agg(DISTINCT ${PREFIX.replace('$1', 'l.workspace_id')} || word)) AS words
  FROM chunks_of_late l CROSS JOIN LATERAL (${readWords('l')}) AS of_message(word)
  GROUP BY l.workspace_id, l.last_id
),
-- In the same order everywhere, so that two batches never wait for each other.
locked_chunks AS MATERIALIZED (
  SELECT c.workspace_id, c.last_id FROM added_words a JOIN message_chunks c USING (workspace_id, last_id)
  ORDER BY c.workspace_id, c.last_id FOR UPDATE OF c
),
added_to_chunks AS (
  UPDATE message_chunks c
  SET first_id = LEAST(c.first_id, a.ids[1]), messages = c.messages + cardinality(a.ids),
    words = c.words || a.words
  FROM locked_chunks l JOIN added_words a USING (workspace_id, last_id)
  WHERE c.workspace_id = l.workspace_id AND c.last_id = l.last_id
)`;
