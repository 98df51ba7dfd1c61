import type { Database } from '../../database.ts';
import { named } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { writeChunk } from './lock-chunks.ts';
import {
  CHUNK_MESSAGES,
  COUNT_ERASED,
  RULE,
  countErased,
  prefixOf,
  readMessages,
  toChunkTerms,
} from './chunks.ts';

/** How many chunks one statement looks for. */
const CHUNKS = 20;
/** A chunk with more messages, received late for example, is not listed: its terms would take too much memory. */
const MESSAGES_MAX = 10 * CHUNK_MESSAGES;

const FIND_CHUNKS = `
SELECT workspace_id AS "workspaceId", first_id AS "firstId", last_id AS "lastId", messages, xmin::text AS "rowVersion"
FROM message_chunks WHERE rule < ${RULE} ORDER BY rule DESC, last_id DESC LIMIT ${CHUNKS}`;

const MESSAGES = 'm.workspace_id = $1::uuid AND m.id BETWEEN $2::uuid AND $3::uuid';

// A message that was received late since, or that retention has deleted, changed the number of messages, and one that was
// erased the number of those.
const REWRITE_CHUNK = `
UPDATE message_chunks SET rule = ${RULE}, words = array_to_tsvector(string_to_array(:terms, ' '))
WHERE workspace_id = :workspaceId::uuid AND last_id = :lastId::uuid AND first_id = :firstId::uuid AND messages = :messages::int
  AND :erased::int = (
    SELECT ${COUNT_ERASED} FROM messages m
    WHERE m.workspace_id = :workspaceId::uuid AND m.id BETWEEN :firstId::uuid AND :lastId::uuid)
  -- Again on the row as it is once it is locked.
  AND xmin::text = :rowVersion`;

interface Chunk {
  workspaceId: string;
  firstId: string;
  lastId: string;
  messages: number;
  rowVersion: string;
}

/**
 * Creates the function that writes chunks again whose messages have changed or that follow an earlier rule, newest first. It
 * returns whether there are more when the time is over.
 */
export function createRewriteChunks({ pool }: Pick<Database, 'pool'>) {
  async function rewrite(chunk: Chunk): Promise<void> {
    const { workspaceId, firstId, lastId } = chunk;
    const read = await readMessages(
      pool,
      MESSAGES,
      [workspaceId, firstId, lastId],
      MESSAGES_MAX + 1,
    );
    const isListed = read.length <= MESSAGES_MAX;
    const terms = isListed ? await toChunkTerms(workspaceId, read) : prefixOf(workspaceId);
    const values = { ...chunk, terms, erased: countErased(read) };
    await writeChunk(pool, workspaceId, (run) => run(...named(REWRITE_CHUNK, values)));
  }

  return async function rewriteChunks(isOver: () => boolean): Promise<boolean> {
    for (;;) {
      const chunks = await runStatement<Chunk>(pool, FIND_CHUNKS, []);
      if (chunks.length === 0) return false;
      for (const chunk of chunks) {
        if (isOver()) return true;
        await rewrite(chunk);
      }
    }
  };
}
