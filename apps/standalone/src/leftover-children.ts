import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { identifyProcess, stopProcess } from '@switchboard/embedded-postgres';

/**
 * Short after SIGTERM, because the processes have been stopping since their parent was killed, and a kill loses no
 * data. No process ignores SIGKILL, but a busy machine may end it late.
 */
const STEPS = [
  ['SIGTERM', 3_000],
  ['SIGKILL', 30_000],
] as const;

export interface ChildrenFile {
  add(pid: number): Promise<void>;
  remove(): Promise<void>;
}

/** Returns the file in which a run records its child processes. */
export function openChildrenFile(dataDir: string): ChildrenFile {
  const path = join(dataDir, 'children');
  return {
    async add(pid) {
      const identity = await identifyProcess(pid);
      if (identity !== null) await appendFile(path, `${identity}\n`, { mode: 0o600 });
    },
    remove: () => rm(path, { force: true }),
  };
}

/**
 * Stops the child processes of a run that was killed: they stop by themselves, but may still use the ports.
 */
export async function stopLeftoverChildren(dataDir: string): Promise<void> {
  const lines = (await readFile(join(dataDir, 'children'), 'utf8').catch(() => '')).split('\n');
  await Promise.all(
    lines.map(async (identity) => {
      if (identity === '' || (await stopProcess(identity, STEPS))) return;
      const pid = Number.parseInt(identity, 10);
      throw new Error(`Process ${pid} is left over from an earlier run and cannot be stopped.`);
    }),
  );
}
