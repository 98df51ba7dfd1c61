import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Calls `run` while no other command installs or compiles in the same folder. The lock is a file that names its
 * owner. The lock of an owner that has ended is ignored.
 */
export async function lockCheckout(root, run) {
  const file = path.join(root, '.cache/checkout.lock');
  mkdirSync(path.dirname(file), { recursive: true });
  let isWaiting = false;
  while (!take(file)) {
    const owner = readOwner(file);
    if (owner === null) continue; // released since
    if (identifyProcess(Number.parseInt(owner, 10)) !== owner) {
      removeLockOf(owner, file);
      continue;
    }
    if (!isWaiting)
      console.log(
        `Waiting for process ${Number.parseInt(owner, 10)}, which installs or compiles here …`,
      );
    isWaiting = true;
    await delay(200);
  }
  try {
    return await run();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Creates the file and its content atomically, so that no process reads an empty file. */
function take(file) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, identifyProcess(process.pid));
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft);
  }
}

/** Two processes may find the lock of an ended owner, and the slower one must not remove the new lock of the faster. */
function removeLockOf(owner, file) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readOwner(aside) !== owner) linkSync(aside, file);
  rmSync(aside);
}

function readOwner(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/** The pid and the start time, because the system reuses pids. Null for a process that has ended, also as a zombie. */
function identifyProcess(pid) {
  const [state, started] = process.platform === 'linux' ? readLinux(pid) : readByPs(pid);
  return state === undefined || state === '' || state.startsWith('Z') ? null : `${pid} ${started}`;
}

function readLinux(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the program's name in brackets, may itself contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [fields[0], fields[19]];
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return [];
    throw error;
  }
}

function readByPs(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  const [state, ...started] = stdout.trim().split(/\s+/);
  return [state, started.join(' ')];
}
