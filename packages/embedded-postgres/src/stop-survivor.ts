import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { identifyProcess, isProcessOf } from './process-identity.ts';
import { stopProcess } from './stop-process.ts';

const STEPS = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;

/**
 * Stops a PostgreSQL that survived its killed owner, first gracefully. No other process may start one in the folder at
 * the same time.
 */
export async function stopSurvivor(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, 'cluster/postmaster.pid');
  const content = await readFile(pidFile, 'utf8').catch(() => null);
  if (content === null) return;
  const pid = Number.parseInt(content, 10);
  const cluster = await realpath(join(dataDir, 'cluster'));
  const identity = (await isProcessOf(pid, cluster)) ? await identifyProcess(pid) : null;
  if (identity !== null && !(await stopProcess(identity, STEPS))) {
    throw new Error(
      `PostgreSQL process ${pid} is left over from an earlier run and cannot be stopped.`,
    );
  }
  // The pid may now belong to another process, which PostgreSQL would mistake for a running server.
  // The file of an ended process is kept: PostgreSQL needs it to find shared memory of that process.
  if ((await identifyProcess(pid)) !== null) await rm(pidFile, { force: true });
}
