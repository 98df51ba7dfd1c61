import type { Database } from '../database.ts';
import { OTHER_PARTY } from '../messages/stored-message.ts';
import { runStatement } from '../run-statement.ts';
import { CHUNK_MESSAGES, INDEXABLE_BEFORE, readWords } from './chunks.ts';
import { PREFIX } from './read-terms.ts';

/** How many workspaces one call looks for. */
const WORKSPACES = 20;

/** Messages with lower ids than the last chunk are in chunks. Only whole chunks are written. */
const LAST_CHUNK = `COALESCE(
  (SELECT c.last_id FROM message_chunks c WHERE c.workspace_id = $1::uuid
   ORDER BY c.last_id DESC LIMIT 1),
  '00000000-0000-0000-0000-000000000000'::uuid)`;

const FIND_WORKSPACES = `
SELECT w.id FROM workspaces w WHERE EXISTS (
  SELECT FROM messages m WHERE m.workspace_id = w.id AND m.id < ${INDEXABLE_BEFORE}
    AND m.id > ${LAST_CHUNK.replace('$1::uuid', 'w.id')}
  ORDER BY m.id OFFSET ${CHUNK_MESSAGES - 1} LIMIT 1)
LIMIT ${WORKSPACES}`;

// Two workers may write the same chunk.
const WRITE_CHUNK = `
WITH chunk AS MATERIALIZED (
  SELECT m.id, m.body, ${OTHER_PARTY} AS number FROM messages m
  WHERE m.workspace_id = $1::uuid AND m.id < ${INDEXABLE_BEFORE} AND m.id > ${LAST_CHUNK}
  ORDER BY m.id LIMIT ${CHUNK_MESSAGES}
)
INSERT INTO message_chunks (workspace_id, first_id, last_id, messages, words)
SELECT $1::uuid, (SELECT id FROM chunk ORDER BY id LIMIT 1),
  (SELECT id FROM chunk ORDER BY id DESC LIMIT 1), ${CHUNK_MESSAGES},
  (SELECT array_to_tsvector(COALESCE(array_agg(DISTINCT ${PREFIX} || word), '{}'))
   FROM chunk CROSS JOIN LATERAL (${readWords('chunk')}) AS of_message(word))
WHERE (SELECT count(*) FROM chunk) = ${CHUNK_MESSAGES}
ON CONFLICT DO NOTHING
RETURNING last_id`;

/**
 * Creates the function that makes the words of older messages searchable, chunk by chunk. The path of an
 * accepted message does not pay for it: a search reads the messages after the last chunk themselves.
 *
 * The function returns whether there is more to do when the time is over.
 */
export function createIndexMessages({ pool }: Pick<Database, 'pool'>) {
  return async function indexMessages(budgetMs: number): Promise<boolean> {
    const startedAt = performance.now();
    const isOver = (): boolean => performance.now() - startedAt >= budgetMs;
    for (;;) {
      const workspaces = await runStatement<{ id: string }>(pool, FIND_WORKSPACES, []);
      if (workspaces.length === 0) return false;
      for (const { id } of workspaces) {
        let written: unknown[];
        do {
          if (isOver()) return true;
          written = await runStatement(pool, WRITE_CHUNK, [id]);
        } while (written.length > 0);
      }
    }
  };
}
