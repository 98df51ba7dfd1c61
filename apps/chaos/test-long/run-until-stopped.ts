import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EVENTUALLY } from '@switchboard/testing';

const DIST = join(import.meta.dirname, '../dist');

interface Listed {
  pid: string;
  parent: string;
  /** Includes its start time, because PIDs are reused. */
  identity: string;
}

async function listAll(): Promise<Listed[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,lstart=,args=', '-ww']);
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/);
    const identity = line.trim().replace(/^(\d+)\s+\d+/, '$1');
    return pid === undefined || parent === undefined ? [] : { pid, parent, identity };
  });
}

/** Lists all descendants of a process. */
async function listDescendants(pid: number): Promise<Listed[]> {
  const all = await listAll();
  const found = new Set([String(pid)]);
  let size = 0;
  while (found.size > size) {
    size = found.size;
    for (const one of all) if (found.has(one.parent)) found.add(one.pid);
  }
  // The `ps` command itself is briefly one of the processes.
  return all.filter((one) => found.has(one.pid) && !/ ps -eo /.test(one.identity));
}

export interface Stopped {
  code: number | null;
  output: string;
  /** Processes of the run that are still alive after it. */
  left: string[];
  /** Files that remain in the folder for temporary files of the run. */
  files: string[];
}

/** Starts a command of this package, calls `stop` when `isTime` returns true, and reports what remains. */
export async function runUntilStopped(options: {
  program: string;
  args: string[];
  isTime(run: { output: string; processes: number }): boolean;
  stop(signal: (name: NodeJS.Signals) => void): void;
}): Promise<Stopped> {
  const folder = await mkdtemp(join(tmpdir(), 'stopped-chaos-'));
  const env = {
    PATH: process.env['PATH'] ?? '',
    TMPDIR: folder,
  };
  const args = [join(DIST, options.program), ...options.args];
  const run = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (text) => (output += text));
  const closed = once(run, 'close') as Promise<[number | null]>;
  const pid = run.pid ?? 0;
  try {
    let before = await listDescendants(pid);
    while (!options.isTime({ output, processes: before.length }) && run.exitCode === null) {
      await delay(100);
      before = await listDescendants(pid);
    }
    options.stop((name) => run.kill(name));
    const [code] = await closed;
    // A process of its own removes what remains, after the run has ended.
    const deadline = performance.now() + EVENTUALLY.timeout;
    for (;;) {
      const alive = new Set((await listAll()).map(({ identity }) => identity));
      const left = before.map(({ identity }) => identity).filter((one) => alive.has(one));
      const files = await readdir(folder);
      const isClean = left.length + files.length === 0;
      if (isClean || performance.now() > deadline) return { code, output, left, files };
      await delay(100);
    }
  } finally {
    run.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}
