import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Identifies a running process by its pid and start time, because the system reuses pids. Returns
 * null if the process does not run or is a zombie.
 */
export async function identifyProcess(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (stat === null) return null;
    // The second field, the program's name in brackets, may itself contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    return `${pid} ${fields[19]} ${boot.trim()}`;
  }
  const [state, ...started] = (await runPs(pid, 'stat=,lstart=')).split(/\s+/);
  return state === undefined || state === '' || state.startsWith('Z')
    ? null
    : `${pid} ${started.join(' ')}`;
}

/** Checks whether a process belongs to a folder: its working directory, or its command line on macOS. */
export async function isProcessOf(pid: number, folder: string): Promise<boolean> {
  if ((await identifyProcess(pid)) === null) return false;
  if (process.platform === 'linux') {
    return (await readlink(`/proc/${pid}/cwd`).catch(() => null)) === folder;
  }
  return (await runPs(pid, 'command=')).includes(folder);
}

async function runPs(pid: number, columns: string): Promise<string> {
  const output = await promisify(execFile)('ps', ['-ww', '-o', columns, '-p', String(pid)]).catch(
    () => ({ stdout: '' }),
  );
  return output.stdout.trim();
}
