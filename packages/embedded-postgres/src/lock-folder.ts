import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { identifyProcess } from './process-identity.ts';

/** Another running process has locked the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
  readonly folder: string;
  readonly pid: number;

  constructor(folder: string, pid: number) {
    super(`${folder} is in use by the running process ${pid}.`);
    this.folder = folder;
    this.pid = pid;
  }
}

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Locks a folder for this process. The lock is a file that names its owner. It needs no cleanup: the
 * lock of a process that has ended is ignored.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'owner');
  const mine = await identifyProcess(process.pid);
  if (mine === null) throw new Error('The start time of this process cannot be read.');
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (await createAtomically(path, mine)) {
      return { release: () => removeIf(path, mine) };
    }
    const theirs = await readFile(path, 'utf8').catch(() => null);
    if (theirs === null) continue; // released since
    const pid = await findRunning(theirs);
    if (pid !== null) throw new FolderInUseError(folder, pid);
    await removeIf(path, theirs);
  }
  throw new Error(`Several processes are trying to use ${folder} at the same time.`);
}

/** Returns the pid of the running process that has locked the folder, or null. */
export async function findFolderOwner(folder: string): Promise<number | null> {
  const identity = await readFile(join(folder, 'owner'), 'utf8').catch(() => null);
  return identity === null ? null : findRunning(identity);
}

async function findRunning(identity: string): Promise<number | null> {
  const pid = Number.parseInt(identity, 10);
  return (await identifyProcess(pid)) === identity ? pid : null;
}

/** Creates the file and its content atomically, so that no process reads an empty file. */
async function createAtomically(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { mode: 0o600 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`${dirname(path)} cannot be written to (${code}).`, { cause });
  }
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Removes a file only if it has the given content. Two processes may find the lock of an ended owner,
 * and the slower one must not remove the new lock of the faster one. The file is therefore renamed
 * first, and restored if its content differs.
 */
async function removeIf(path: string, content: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    if ((await readFile(aside, 'utf8')) !== content) await link(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
}
