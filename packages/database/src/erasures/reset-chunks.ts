import { ERASED } from '@switchboard/core';
import { prefixInSql } from '../messages/search-index/chunks.ts';
import { waitForChunkWriters } from '../messages/search-index/lock-chunks.ts';
import type { Run } from '../run-statement.ts';

const RESET = `
UPDATE message_chunks c SET rule = 0, words = array_to_tsvector(ARRAY[${prefixInSql('c.workspace_id')}])
WHERE c.workspace_id = $1::uuid AND c.rule > 0 AND EXISTS (
  SELECT FROM message_records r
  WHERE r.workspace_id = $1::uuid AND r.counterpart = '${ERASED}' AND r.id BETWEEN c.first_id AND c.last_id)`;

/**
 * Removes the words of erased messages from chunks that were written from what was read before. A worker writes the words
 * of the other messages again. Requires a transaction; afterwards no statement writes a chunk from an older read, because
 * each compares the number of erased messages.
 */
export async function resetChunks(run: Run, workspaceId: string): Promise<void> {
  // The next statement finds what they have written.
  await waitForChunkWriters(run, workspaceId);
  await run(RESET, [workspaceId]);
}
