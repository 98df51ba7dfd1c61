import { access, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Lists the processes of the PostgreSQL server of a data folder, postmaster first; empty if it is
 * not running.
 */
export async function listServerProcesses(dataFolder: string): Promise<number[]> {
  const file = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '');
  const postmaster = Number(file.split('\n')[0]);
  if (!Number.isInteger(postmaster) || postmaster < 2) return [];
  // The PID file remains after a server is killed, and its PID may belong to another program.
  const command = await readFile(`/proc/${postmaster}/cmdline`, 'utf8').catch(() => '');
  if (!command.includes(dataFolder)) return [];
  return [postmaster, ...(await listChildren(postmaster))];
}

export async function listChildren(parent: number): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const children = await Promise.all(
    names.map(async (name) => {
      // "pid (command) state parent …"; a command may hold parentheses and spaces.
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(ppid) === parent ? Number(name) : 0;
    }),
  );
  return children.filter((pid) => pid !== 0);
}

export async function isRunning(pid: number): Promise<boolean> {
  return access(`/proc/${pid}`).then(
    () => true,
    () => false,
  );
}

/** Sends a signal to processes; ignores those that have already exited. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
