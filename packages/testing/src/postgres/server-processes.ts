import { access, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

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
      const { parent: ppid } = await readState(Number(name));
      return ppid === parent ? Number(name) : 0;
    }),
  );
  return children.filter((pid) => pid !== 0);
}

async function readState(pid: number): Promise<{ state: string; parent: number }> {
  // "pid (command) state parent …"; a command may hold parentheses and spaces.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state, parent: Number(parent) };
}

export async function isRunning(pid: number): Promise<boolean> {
  return access(`/proc/${pid}`).then(
    () => true,
    () => false,
  );
}

/** The states of a process that runs no more code: stopped, a zombie, or gone. */
const STOPPED = new Set(['T', 't', 'Z', '']);

/**
 * Sends SIGSTOP to processes, and waits until they have stopped. A process stops when it leaves the
 * kernel: a `fork` that it is in still creates its child.
 */
export async function stopAll(pids: readonly number[]): Promise<void> {
  signalAll(pids, 'SIGSTOP');
  for (const pid of pids) {
    while (!STOPPED.has((await readState(pid)).state)) await delay(1);
  }
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
