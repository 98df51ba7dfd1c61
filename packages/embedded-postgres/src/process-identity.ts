import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Names a running process beyond its pid, which the system gives out again: the pid with the time
 * it started. Null when no such process runs; a zombie does not run.
 */
export async function identifyProcess(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (stat === null) return null;
    // The second field is the program's name in brackets and may hold anything, brackets too.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    return `${pid} ${fields[19]} ${boot.trim()}`;
  }
  const [state, ...started] = (await askPs(pid, 'stat=,lstart=')).split(/\s+/);
  return state === undefined || state === '' || state.startsWith('Z')
    ? null
    : `${pid} ${started.join(' ')}`;
}

/** Whether the process works in (Linux) or was started on (elsewhere) the given folder. */
export async function isProcessOf(pid: number, folder: string): Promise<boolean> {
  if ((await identifyProcess(pid)) === null) return false;
  if (process.platform === 'linux') {
    return (await readlink(`/proc/${pid}/cwd`).catch(() => null)) === folder;
  }
  return (await askPs(pid, 'command=')).includes(folder);
}

async function askPs(pid: number, columns: string): Promise<string> {
  const answer = await promisify(execFile)('ps', ['-ww', '-o', columns, '-p', String(pid)]).catch(
    () => ({ stdout: '' }),
  );
  return answer.stdout.trim();
}
