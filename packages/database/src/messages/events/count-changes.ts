/**
 * Returns the call by which a statement declares that it counts its own messages (`countChanges`), or changes none that
 * count, so that the triggers of the message tables do not. It belongs into a FROM item with one row, which the statement
 * reads before it changes messages. The triggers count any other statement, also of the same transaction.
 */
export const COUNTS_ITSELF = `set_config('switchboard.counted_at', statement_timestamp()::text, true)`;

/**
 * Returns the common table expression `counted`, which adds the messages of `changes` to the counts of the slot
 * `numbering`. `changes` is a query with the columns `workspace_id`, `id`, `direction`, `status` and `change`: 1 for the
 * new status of a message, -1 for its former one.
 *
 * `changes` must depend on `counters` (`takeEventNumbers`): a transaction locks counts of a slot only while it holds the
 * counter of the workspace in that slot, so that two of them never wait for each other here.
 */
export function countChanges(numbering: string, changes: string): string {
  return `
counted AS (
  INSERT INTO message_slot_counts AS c (workspace_id, day, slot, direction, status, n)
  SELECT workspace_id, uuid_v7_day(id), ${numbering}::smallint, direction, status, sum(change)
  FROM (${changes}) changes
  GROUP BY 1, 2, direction, status HAVING sum(change) <> 0 ORDER BY 1, 2, direction, status
  ON CONFLICT (workspace_id, day, slot, direction, status) DO UPDATE SET n = c.n + excluded.n
)`;
}
