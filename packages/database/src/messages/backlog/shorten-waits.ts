import type { Database } from '../../database.ts';
import { runStatement } from '../../run-statement.ts';

export type ShortenWaits = ReturnType<typeof createShortenWaits>;

// A wait starts now, or at the time for which the message is scheduled. Polls of accepted messages may
// wait for a day and stay as they are.
const SQL = `
WITH overdue AS (
  SELECT m.workspace_id, m.id, GREATEST(now(), r.scheduled_at) + $1::float8 * interval '1 millisecond' AS latest
  FROM due_messages m JOIN message_records r ON r.workspace_id = m.workspace_id AND r.id = m.id
  WHERE m.due_at > GREATEST(now(), r.scheduled_at) + $1::float8 * interval '1 millisecond'
    AND m.dispatch IN ('ready', 'inflight', 'unknown')
  LIMIT $2::int FOR UPDATE OF m SKIP LOCKED
)
UPDATE message_progress m SET due_at = o.latest, not_before = LEAST(m.not_before, o.latest)
FROM overdue o WHERE m.workspace_id = o.workspace_id AND m.id = o.id
RETURNING 1`;

const BATCH_SIZE = 1_000;

/**
 * Returns a function for a database whose clock was ahead and was set back. Due times from before would
 * wait for as long as the clock was ahead. After the call, no wait for a retry, a lease or a lookup is
 * longer than one that starts now. Returns the number of changed messages.
 */
export function createShortenWaits({ pool }: Pick<Database, 'pool'>) {
  return async (longestWaitMs: number): Promise<number> => {
    let total = 0;
    let count: number;
    do {
      count = (await runStatement(pool, SQL, [longestWaitMs, BATCH_SIZE])).length;
      total += count;
    } while (count === BATCH_SIZE);
    return total;
  };
}
