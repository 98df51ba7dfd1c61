import { MAX_EVENT_SLOT } from '@switchboard/core';
import type pg from 'pg';
import { runStatement } from '../../run-statement.ts';

/** Where a process numbers events and counts messages, as `chooseNumbering` has chosen it. */
export interface EventNumbering {
  /** The value of the parameter `numbering` of statements. */
  value: number;
}

/** The numbering of all processes without a slot of their own, which wait for each other's commits. */
export const sharedNumbering = (): EventNumbering => ({ value: 0 });

/** What a function needs that writes events. */
export interface EventWriter {
  pool: pg.Pool;
  numbering: EventNumbering;
}

// A process keeps its slot unless an older process has it too: processes that start at the same
// time choose the same slot, with the only effect that they wait for each other's commits.
// Otherwise it takes the first free slot, so that cursors, which have a number for each slot, stay
// short. Processes that leave a slot at the same time each take a different one.
const CHOOSE = `
WITH others AS (
  SELECT * FROM running_processes WHERE id <> $1::uuid AND seen_at > now() - interval '1 minute'
),
own AS (
  SELECT slot, (
    SELECT count(*) FROM others o
    WHERE o.slot = p.slot AND (o.started_at, o.id) < (p.started_at, p.id)) AS older
  FROM running_processes p WHERE id = $1::uuid
)
UPDATE running_processes SET slot = COALESCE(
  (SELECT slot FROM own WHERE older = 0 AND slot > 0),
  (SELECT s FROM generate_series(1, $2::int) s
   WHERE s NOT IN (SELECT slot FROM others)
   ORDER BY s OFFSET (SELECT older - LEAST(older, slot, 1) FROM own) LIMIT 1),
  1 + floor(random() * $2::int)::int)
WHERE id = $1::uuid
RETURNING slot`;

/** Chooses the slot of a process that has reported itself. Its statements use it from now on. */
export async function chooseNumbering(
  { pool, numbering }: EventWriter,
  processId: string,
): Promise<void> {
  const [row] = await runStatement<{ slot: number }>(pool, CHOOSE, [processId, MAX_EVENT_SLOT]);
  if (row !== undefined) numbering.value = row.slot;
}
