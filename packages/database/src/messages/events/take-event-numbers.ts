/** Returns the SQL expression for the number before the first event of a slot. */
export const START_OF_SLOT = (slot: string): string => `(-(${slot}::bigint << 48))`;

/**
 * Returns the common table expression `counters`, with the new last number of each workspace in
 * `totals`, which has its number of events as `n`. `numbering` is a parameter with the value of `EventNumbering`.
 *
 * A statement locks message rows before counters, and counters in the order of their workspaces, so
 * that two statements of one slot never deadlock.
 */
export function takeEventNumbers(numbering: string): string {
  return `
counters AS (
  INSERT INTO event_counters AS c (workspace_id, slot, last_seq)
  SELECT workspace_id, ${numbering}::smallint, ${START_OF_SLOT(numbering)} + n
  FROM totals ORDER BY workspace_id
  ON CONFLICT (workspace_id, slot) DO UPDATE
    SET last_seq = c.last_seq + excluded.last_seq - ${START_OF_SLOT(numbering)}
  RETURNING workspace_id, last_seq
)`;
}

/**
 * Returns the common table expression `opt_out_locks`, with the workspaces in `rows`. These locks
 * serialize the statements that write the opt-outs of a workspace. These statements are rare.
 */
export function lockForOptOuts(rows: string): string {
  return `
opt_out_locks AS (
  SELECT workspace_id FROM event_counters
  WHERE slot = 0 AND workspace_id IN (SELECT workspace_id FROM ${rows})
  ORDER BY workspace_id FOR UPDATE
)`;
}
