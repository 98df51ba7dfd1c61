import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess } from '@switchboard/embedded-postgres';

/** Short: they have been ending since their parent was killed, and a kill loses nothing. */
const PATIENCE_MS = 3_000;

export interface ChildrenFile {
  add(pid: number): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Children of a start that was killed end by themselves, but may still be at it, on our ports. So
 * every child is written down, and those that the start before has left are waited for first.
 */
export async function clearLeftoverChildren(dataDir: string): Promise<ChildrenFile> {
  const path = join(dataDir, 'children');
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  await Promise.all(lines.filter((line) => line !== '').map(endProcess));
  await rm(path, { force: true });
  return {
    async add(pid) {
      const identity = await identifyProcess(pid);
      if (identity !== null) await appendFile(path, `${identity}\n`, { mode: 0o600 });
    },
    remove: () => rm(path, { force: true }),
  };
}

async function endProcess(identity: string): Promise<void> {
  const pid = Number.parseInt(identity, 10);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if ((await identifyProcess(pid)) !== identity) return;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline) {
      if ((await identifyProcess(pid)) !== identity) return;
      await delay(20);
    }
  }
  throw new Error(`A process left over from an earlier start (${pid}) cannot be stopped.`);
}
