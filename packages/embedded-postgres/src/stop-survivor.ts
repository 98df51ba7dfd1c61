import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, isProcessOf } from './process-identity.ts';

/**
 * Stops a PostgreSQL that survived its killed owner, first gracefully. PostgreSQL survives by design,
 * so that a kill loses no data. The caller must hold the lock of the folder.
 */
export async function stopSurvivor(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, 'cluster/postmaster.pid');
  const content = await readFile(pidFile, 'utf8').catch(() => null);
  if (content === null) return;
  const pid = Number.parseInt(content, 10);
  const cluster = await realpath(join(dataDir, 'cluster'));

  const steps: [signal: NodeJS.Signals, timeoutMs: number][] = [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ];
  for (const [signal, timeoutMs] of steps) {
    if (!(await isProcessOf(pid, cluster))) break;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline && (await isProcessOf(pid, cluster))) await delay(20);
  }
  if (await isProcessOf(pid, cluster)) {
    throw new Error(
      `PostgreSQL process ${pid} is left over from an earlier run and cannot be stopped.`,
    );
  }
  // The pid may now belong to another process, which PostgreSQL would mistake for a running server.
  // The file of an ended process is kept: PostgreSQL needs it to find shared memory of that process.
  if ((await identifyProcess(pid)) !== null) await rm(pidFile, { force: true });
}
