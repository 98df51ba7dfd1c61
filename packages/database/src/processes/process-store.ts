import type { Database } from '../database.ts';
import { chooseNumbering } from '../messages/events/event-numbering.ts';
import { named } from '../named-statement.ts';
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
   * From now on, the process numbers events without waiting for other processes.
   */
  report(process: RunningProcess): Promise<void>;
  remove(id: string): Promise<void>;
  /** Lists the processes with a report within the last minute. */
  listRunning(): Promise<SeenProcess[]>;
}

const REPORT = `
WITH expired AS (
  DELETE FROM running_processes WHERE seen_at < now() - interval '1 day' AND id <> :id::uuid
)
INSERT INTO running_processes (id, role, host, pid, key_ids, started_at, seen_at)
VALUES (:id::uuid, :role, :host, :pid::int, :keyIds::text[], now(), now())
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`;

export function createProcessStore(database: Pick<Database, 'pool' | 'numbering'>): ProcessStore {
  const { pool } = database;
  return {
    async report(process) {
      await runStatement(pool, ...named(REPORT, { ...process }));
      await chooseNumbering(database, process.id);
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
