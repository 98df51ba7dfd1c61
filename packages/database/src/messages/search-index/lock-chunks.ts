import type pg from 'pg';
import type { Run } from '../../run-statement.ts';
import { inShortTransaction } from '../../short-transaction.ts';

/** Of one workspace, so that an erasure delays no other one. Receiving messages does not take it. */
const KEY = `hashtextextended('words of ' || $1::text, 0)`;

/**
 * Runs a statement that writes words of a workspace into chunks. Its snapshot is newer than the lock, so it sees what was
 * erased before `waitForChunkWriters` returned.
 */
export function writeChunk<Result>(
  pool: pg.Pool,
  workspaceId: string,
  write: (run: Run) => Promise<Result>,
): Promise<Result> {
  return inShortTransaction(pool, async (run) => {
    await run(`SELECT pg_advisory_xact_lock_shared(${KEY})`, [workspaceId]);
    return write(run);
  });
}

/** Waits for the statements that write words of the workspace now. Later ones wait for the end of this transaction. */
export async function waitForChunkWriters(run: Run, workspaceId: string): Promise<void> {
  await run(`SELECT pg_advisory_xact_lock(${KEY})`, [workspaceId]);
}
