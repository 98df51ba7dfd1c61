import type { Database } from '../../database.ts';
import { named } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { isBlocked } from '../../sql-error.ts';
import {
  CHUNK_MESSAGES,
  COUNT_ERASED,
  RULE,
  countErased,
  readMessages,
  toChunkTerms,
} from './chunks.ts';
import { writeChunk } from './lock-chunks.ts';
import { createRewriteChunks } from './rewrite-chunks.ts';

/** How many workspaces one call looks for. */
const WORKSPACES = 20;

/**
 * No message that is still to be accepted has a lower id, because statements and retries end sooner.
 * One that is received late is added to the chunk of its neighbors (`add-to-chunks.ts`). A subquery is
 * evaluated once and is a bound of the index; the function alone is volatile, and evaluated for each
 * row.
 */
const INDEXABLE_BEFORE = `(SELECT uuid_v7(now() - interval '10 minutes'))`;

/** Messages with lower ids than the last chunk are in chunks. Only whole chunks are written. */
const lastChunkOf = (workspaceId: string): string => `COALESCE(
  (SELECT c.last_id FROM message_chunks c WHERE c.workspace_id = ${workspaceId}
   ORDER BY c.last_id DESC LIMIT 1),
  '00000000-0000-0000-0000-000000000000'::uuid)`;

const FIND_WORKSPACES = `
SELECT w.id FROM workspaces w WHERE EXISTS (
  SELECT FROM messages m WHERE m.workspace_id = w.id AND m.id < ${INDEXABLE_BEFORE}
    AND m.id > ${lastChunkOf('w.id')}
  ORDER BY m.id OFFSET ${CHUNK_MESSAGES - 1} LIMIT 1)
LIMIT ${WORKSPACES}`;

const NEXT_MESSAGES = `m.workspace_id = $1::uuid AND m.id < ${INDEXABLE_BEFORE} AND m.id > ${lastChunkOf('$1::uuid')}`;

// Another worker may have written the chunk, and a message may have been received late, deleted or erased since they were
// read.
const INSERT_CHUNK = `
INSERT INTO message_chunks (workspace_id, first_id, last_id, messages, words, rule)
SELECT :workspaceId::uuid, :firstId::uuid, :lastId::uuid, ${CHUNK_MESSAGES}, array_to_tsvector(string_to_array(:terms, ' ')), ${RULE}
WHERE ${lastChunkOf(':workspaceId::uuid')} < :firstId::uuid AND (${CHUNK_MESSAGES}, :erased::int) = (
  SELECT count(*), ${COUNT_ERASED} FROM messages m
  WHERE m.workspace_id = :workspaceId::uuid AND m.id BETWEEN :firstId::uuid AND :lastId::uuid)
ON CONFLICT DO NOTHING
RETURNING last_id`;

/**
 * Creates the function that makes the words of older messages searchable, chunk by chunk. The path of an
 * accepted message does not pay for it: a search reads the messages after the last chunk themselves. When all
 * are, it writes chunks again whose messages or rule have changed.
 *
 * The function returns whether there is more to do when the time is over.
 */
export function createIndexMessages({ pool }: Pick<Database, 'pool'>) {
  const rewriteChunks = createRewriteChunks({ pool });

  async function writeNext(workspaceId: string): Promise<boolean> {
    const messages = await readMessages(pool, NEXT_MESSAGES, [workspaceId], CHUNK_MESSAGES);
    if (messages.length < CHUNK_MESSAGES) return false;
    const terms = await toChunkTerms(workspaceId, messages);
    const values = {
      workspaceId,
      firstId: messages[0]?.id,
      lastId: messages.at(-1)?.id,
      terms,
      erased: countErased(messages),
    };
    const written = await writeChunk(pool, workspaceId, (run) =>
      run(...named(INSERT_CHUNK, values)),
    );
    return written.length > 0;
  }

  async function indexWithin(budgetMs: number): Promise<boolean> {
    const startedAt = performance.now();
    const isOver = (): boolean => performance.now() - startedAt >= budgetMs;
    for (;;) {
      const workspaces = await runStatement<{ id: string }>(pool, FIND_WORKSPACES, []);
      if (workspaces.length === 0) return rewriteChunks(isOver);
      for (const { id } of workspaces) {
        do {
          if (isOver()) return true;
        } while (await writeNext(id));
      }
    }
  }

  return async function indexMessages(budgetMs: number): Promise<boolean> {
    try {
      return await indexWithin(budgetMs);
    } catch (error) {
      // An erasure ends; the next run continues.
      if (isBlocked(error)) return true;
      throw error;
    }
  };
}
