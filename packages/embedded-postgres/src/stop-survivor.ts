import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, isProcessOf } from './process-identity.ts';

/**
 * PostgreSQL outlives an owner that was killed, by design: nothing is lost by the kill. Whoever
 * owns the folder next stops it, gently first. The caller holds the folder's lock.
 */
export async function stopSurvivor(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, 'cluster/postmaster.pid');
  const content = await readFile(pidFile, 'utf8').catch(() => null);
  if (content === null) return;
  const pid = Number.parseInt(content, 10);
  const cluster = await realpath(join(dataDir, 'cluster'));

  const steps: [signal: NodeJS.Signals, patienceMs: number][] = [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ];
  for (const [signal, patienceMs] of steps) {
    if (!(await isProcessOf(pid, cluster))) break;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline && (await isProcessOf(pid, cluster))) await delay(20);
  }
  if (await isProcessOf(pid, cluster)) {
    throw new Error(
      `A PostgreSQL left over from an earlier start (process ${pid}) cannot be stopped.`,
    );
  }
  // The pid may belong to a stranger by now, whom PostgreSQL would take for a running server. A file
  // that names a dead process stays: PostgreSQL finds by it what that process may have left behind.
  if ((await identifyProcess(pid)) !== null) await rm(pidFile, { force: true });
}
