import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { identifyProcess } from './process-identity.ts';

/** Another process that still runs holds the folder. */
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
 * Makes this process the only owner of a folder. The lock is a file that names its owner, so it
 * needs no cleaning up: one whose owner was killed counts for nothing.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'owner');
  const mine = await identifyProcess(process.pid);
  if (mine === null) throw new Error('The system does not tell when this process was started.');
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (await createWhole(path, mine)) {
      return { release: () => removeIf(path, mine) };
    }
    const theirs = await readFile(path, 'utf8').catch(() => null);
    if (theirs === null) continue; // released in the meantime
    const pid = Number.parseInt(theirs, 10);
    if ((await identifyProcess(pid)) === theirs) throw new FolderInUseError(folder, pid);
    await removeIf(path, theirs);
  }
  throw new Error(`Several processes are trying to use ${folder} at the same time.`);
}

/** Creates the file with its content in one step, so that nobody reads an empty one. */
async function createWhole(path: string, content: string): Promise<boolean> {
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
 * Two starts may both find a dead owner: the slower one must not remove the lock that the faster
 * one has taken by then. So the file is moved aside first, and put back if it is not the one meant.
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
