/** Returns the SQL expression for the number before the first event of a slot. */
export const START_OF_SLOT = (slot: string): string => `(-(${slot}::bigint << 48))`;

/**
 * Returns the common table expression `counters`, with the new last number of each workspace in
 * `totals`, which has its number of events as `n`. `slot` is the parameter for the slot.
 *
 * A statement locks message rows before counters, and counters in the order of their workspaces, so
 * that two statements of one slot never deadlock.
 */
export function takeEventNumbers(slot: string): string {
  return `
slot_counters AS (
  INSERT INTO event_slots AS c (workspace_id, slot, last_seq)
  SELECT workspace_id, ${slot}::smallint, ${START_OF_SLOT(slot)} + n
  FROM totals WHERE ${slot}::int > 0 ORDER BY workspace_id
  ON CONFLICT (workspace_id, slot) DO UPDATE
    SET last_seq = c.last_seq + excluded.last_seq - ${START_OF_SLOT(slot)}
  RETURNING workspace_id, last_seq
),
-- Slot 0 is for a process whose slot is not known yet, and for the operator's commands.
shared_counters AS (
  INSERT INTO event_counters AS c (workspace_id, last_seq)
  SELECT workspace_id, n FROM totals WHERE ${slot}::int = 0 ORDER BY workspace_id
  ON CONFLICT (workspace_id) DO UPDATE SET last_seq = c.last_seq + excluded.last_seq
  RETURNING workspace_id, last_seq
),
counters AS (SELECT * FROM slot_counters UNION ALL SELECT * FROM shared_counters)`;
}

/**
 * Returns the call that makes the triggers of `messages` count in the slot, until the transaction ends.
 * `limits` is a FROM item with one row.
 */
export function countInSlot(slot: string): string {
  return `set_config('switchboard.event_slot', ${slot}::text, true)`;
}

/**
 * Returns the common table expression `opt_out_locks`, with the workspaces in `rows`. These locks
 * serialize the statements that write the opt-outs of a workspace. These statements are rare.
 */
export function lockForOptOuts(rows: string): string {
  return `
opt_out_locks AS (
  SELECT workspace_id FROM event_counters
  WHERE workspace_id IN (SELECT workspace_id FROM ${rows})
  ORDER BY workspace_id FOR UPDATE
)`;
}
