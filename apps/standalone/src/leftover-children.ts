import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess } from '@switchboard/embedded-postgres';

/**
 * How long to wait after each signal. Short after SIGTERM, because the processes have been stopping
 * since their parent was killed, and a kill loses no data. No process ignores SIGKILL, but a busy
 * machine may end it late.
 */
const STOP_TIMEOUTS_MS = { SIGTERM: 3_000, SIGKILL: 30_000 };

export interface ChildrenFile {
  add(pid: number): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Stops the child processes of an earlier run that was killed: they stop by themselves, but may
 * still use the ports. Returns the file in which this run records its child processes.
 */
export async function clearLeftoverChildren(dataDir: string): Promise<ChildrenFile> {
  const path = join(dataDir, 'children');
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  await Promise.all(lines.filter((line) => line !== '').map(stopProcess));
  await rm(path, { force: true });
  return {
    async add(pid) {
      const identity = await identifyProcess(pid);
      if (identity !== null) await appendFile(path, `${identity}\n`, { mode: 0o600 });
    },
    remove: () => rm(path, { force: true }),
  };
}

async function stopProcess(identity: string): Promise<void> {
  const pid = Number.parseInt(identity, 10);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if ((await identifyProcess(pid)) !== identity) return;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    const deadline = performance.now() + STOP_TIMEOUTS_MS[signal];
    while (performance.now() < deadline) {
      if ((await identifyProcess(pid)) !== identity) return;
      await delay(20);
    }
  }
  throw new Error(`Process ${pid} is left over from an earlier run and cannot be stopped.`);
}
