import { EVENTUALLY } from '@switchboard/testing';
import { expect } from 'vitest';
import type { Database } from '../src/database.ts';

/** Waits until `count` connections to the database wait for a lock. */
export async function waitForLock({ pool }: Pick<Database, 'pool'>, count = 1): Promise<void> {
  const waiting = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect
    .poll(async () => (await pool.query(waiting)).rowCount, EVENTUALLY)
    .toBeGreaterThanOrEqual(count);
}
