import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderInUseError, lockFolder, stopSurvivor } from '@switchboard/embedded-postgres';

const PREFIX = 'switchboard-postgres-';
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 * 1024 ** 3;

/** A folder for a cluster that need not outlive the run. */
export async function createTemporaryFolder(): Promise<string> {
  // A database is some 700 files: in memory it is copied in 10 ms, on a busy disk in 500.
  return mkdtemp(join((await hasRoom(MEMORY)) ? MEMORY : tmpdir(), PREFIX));
}

async function hasRoom(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => null);
  return found !== null && found.bavail * found.bsize > ENOUGH_BYTES;
}

/** Stops and removes what test runs that were killed have left behind. */
export async function removeAbandonedClusters(): Promise<void> {
  for (const parent of [MEMORY, tmpdir()]) {
    for (const name of await readdir(parent).catch(() => [])) {
      if (name.startsWith(PREFIX)) await removeIfAbandoned(join(parent, name));
    }
  }
}

async function removeIfAbandoned(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  // A young one may be another run's, not locked yet; another user's is not ours to remove.
  if (found === null || Date.now() - found.birthtimeMs < 60_000) return;
  if (found.uid !== process.getuid?.()) return;
  try {
    await lockFolder(folder);
  } catch (error) {
    if (error instanceof FolderInUseError) return;
    throw error;
  }
  await stopSurvivor(folder);
  await rm(folder, { recursive: true, force: true });
}
