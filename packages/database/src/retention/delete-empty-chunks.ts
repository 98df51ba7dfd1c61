import { firstIdOf } from '../messages/id-range.ts';
import type { Run } from '../run-statement.ts';

const DELETE = `
DELETE FROM message_chunks d USING (
  SELECT c.workspace_id, c.last_id FROM message_chunks c
  WHERE c.last_id < $1::uuid AND NOT EXISTS (
    SELECT FROM messages m
    WHERE m.workspace_id = c.workspace_id AND m.id BETWEEN c.first_id AND c.last_id)
  LIMIT $2::int FOR UPDATE SKIP LOCKED
) empty
WHERE d.workspace_id = empty.workspace_id AND d.last_id = empty.last_id
RETURNING d.last_id`;

/** Deletes the chunks of words whose messages are all deleted, and returns how many there were. */
export async function deleteEmptyChunks(
  run: Run,
  old: { before: Date; limit: number },
): Promise<number> {
  return (await run(DELETE, [firstIdOf(old.before), old.limit])).length;
}
