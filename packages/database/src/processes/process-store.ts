import { MAX_EVENT_SLOT } from '@switchboard/core';
import type { Database } from '../database.ts';
import { setEventSlot } from '../message-events/event-slot.ts';
import { runStatement } from '../run-statement.ts';

export interface RunningProcess {
  id: string;
  role: string;
  host: string;
  pid: number;
  /** The key ids of its SECRET_KEY, in their order. */
  keyIds: readonly string[];
}

export interface SeenProcess extends RunningProcess {
  /** The time since its last report, on the database's clock. */
  seenMsAgo: number;
}

/** The APIs and workers that use this database, as they report themselves. */
export interface ProcessStore {
  /**
   * Adds or updates the row of the process, and deletes rows that have had no report for a day.
   * Chooses the slot in which the process numbers events from now on.
   */
  report(process: RunningProcess): Promise<void>;
  remove(id: string): Promise<void>;
  /** Lists the processes with a report within the last minute. */
  listRunning(): Promise<SeenProcess[]>;
}

// A process keeps its slot unless an older process has it too: processes that start at the same
// time choose the same slot, with the only effect that they wait for each other's commits.
// Otherwise it takes the first free slot, so that cursors, which have a number for each slot, stay
// short. Processes that leave a slot at the same time each take a different one.
const REPORT = `
WITH expired AS (
  DELETE FROM running_processes WHERE seen_at < now() - interval '1 day' AND id <> $1::uuid
),
others AS (
  SELECT * FROM running_processes WHERE id <> $1::uuid AND seen_at > now() - interval '1 minute'
),
own AS (
  SELECT slot, (
    SELECT count(*) FROM others o
    WHERE o.slot = p.slot AND (o.started_at, o.id) < (p.started_at, p.id)) AS older
  FROM running_processes p WHERE id = $1::uuid
),
chosen AS (
  SELECT COALESCE(
    (SELECT slot FROM own WHERE older = 0),
    (SELECT s FROM generate_series(1, $6::int) s
     WHERE s NOT IN (SELECT slot FROM others)
     ORDER BY s OFFSET COALESCE((SELECT GREATEST(older - 1, 0) FROM own), 0) LIMIT 1),
    1 + floor(random() * $6::int)::int
  ) AS slot
)
INSERT INTO running_processes (id, role, host, pid, key_ids, started_at, seen_at, slot)
SELECT $1::uuid, $2, $3, $4::int, $5::text[], now(), now(), slot FROM chosen
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, slot = excluded.slot
RETURNING slot`;

export function createProcessStore({ pool }: Pick<Database, 'pool'>): ProcessStore {
  return {
    async report({ id, role, host, pid, keyIds }) {
      const [row] = await runStatement<{ slot: number }>(pool, REPORT, [
        id,
        role,
        host,
        pid,
        [...keyIds],
        MAX_EVENT_SLOT,
      ]);
      if (row !== undefined) setEventSlot(pool, row.slot);
    },

    async remove(id) {
      await runStatement(pool, 'DELETE FROM running_processes WHERE id = $1::uuid', [id]);
    },

    listRunning: () =>
      runStatement<SeenProcess>(
        pool,
        `SELECT id, role, host, pid, key_ids AS "keyIds",
           (extract(epoch FROM now() - seen_at) * 1000)::float8 AS "seenMsAgo"
         FROM running_processes WHERE seen_at > now() - interval '1 minute'
         ORDER BY role, host, pid`,
        [],
      ),
  };
}
