// node remove-run.mjs <folder> <folder in memory> <prefix>
// Waits until the process that opened the run has ended, then kills the processes of the run and removes its folders.
// Before that, does the same with runs whose own guard was killed too. Plain JavaScript, because it starts before the
// code is compiled.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const [folder, memory, prefix] = process.argv.slice(2);
const outside = path.dirname(folder);
/** A folder that is younger may belong to a process of another PID namespace. */
const ABANDONED_MS = 60_000;
const KILL_TIMEOUT_MS = 25_000;
/** For PostgreSQL, which removes its shared memory unless it is killed. */
const QUIT_TIMEOUT_MS = 3_000;

for (const name of listAbandoned()) await removeRun(path.join(outside, name));
for await (const chunk of process.stdin) void chunk; // ends with the process that opened the run
await removeRun(folder);

async function removeRun(run) {
  const name = path.basename(run);
  const startedAt = performance.now();
  let left = findProcesses(name);
  while (left.length > 0 && performance.now() - startedAt < KILL_TIMEOUT_MS) {
    const mayQuit = performance.now() - startedAt < QUIT_TIMEOUT_MS;
    for (const pid of left) stop(pid, mayQuit);
    await delay(50);
    left = findProcesses(name);
  }
  if (left.length > 0)
    console.error(`Processes of a test run cannot be killed: ${left.join(', ')}`);
  const inMemory = path.join(memory, run.slice(run.indexOf(prefix)));
  for (const place of [run, inMemory])
    rmSync(place, { recursive: true, force: true, maxRetries: 3 });
}

function listAbandoned() {
  return readdirSync(outside).filter((name) => {
    if (!name.startsWith(prefix)) return false;
    const found = statSync(path.join(outside, name), { throwIfNoEntry: false });
    if (found === undefined || Date.now() - found.birthtimeMs < ABANDONED_MS) return false;
    return (
      found.uid === process.getuid() && !isRunning(Number.parseInt(name.slice(prefix.length), 10))
    );
  });
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

function stop(pid, mayQuit) {
  const isPostgres = readOrEmpty(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1')).includes(
    'postgres',
  );
  try {
    process.kill(pid, mayQuit && isPostgres ? 'SIGQUIT' : 'SIGKILL');
    process.kill(pid, 'SIGCONT'); // a paused process receives SIGQUIT only when it continues
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Returns the other processes that have the text in their environment, arguments or working directory. */
function findProcesses(text) {
  const found = process.platform === 'linux' ? listLinux(text) : listByPs(text);
  return found.filter((pid) => pid !== process.pid);
}

function listLinux(text) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) =>
      [
        () => readlinkSync(`/proc/${name}/cwd`),
        () => readFileSync(`/proc/${name}/cmdline`, 'latin1'),
        () => readFileSync(`/proc/${name}/environ`, 'latin1'),
      ].some((read) => readOrEmpty(read).includes(text)),
    )
    .map(Number);
}

/** A process of another user, or one that has ended, has nothing to read. */
function readOrEmpty(read) {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code)) return '';
    throw error;
  }
}

function listByPs(text) {
  return execFileSync('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => Number.parseInt(line, 10));
}
