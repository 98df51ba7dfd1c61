import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderInUseError, lockFolder, stopSurvivor } from '@switchboard/embedded-postgres';

/** What the temporary folders of test runs begin with. */
export const CLUSTER_PREFIX = 'switchboard-postgres-';

/** Stops and removes what test runs that were killed have left behind. */
export async function removeAbandonedClusters(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(CLUSTER_PREFIX)) continue;
    const folder = join(tmpdir(), name);
    const found = await stat(folder).catch(() => null);
    // A young one may be another run's, not locked yet; another user's is not ours to remove.
    if (found === null || Date.now() - found.birthtimeMs < 60_000) continue;
    if (found.uid !== process.getuid?.()) continue;
    try {
      await lockFolder(folder);
    } catch (error) {
      if (error instanceof FolderInUseError) continue;
      throw error;
    }
    await stopSurvivor(folder);
    await rm(folder, { recursive: true, force: true });
  }
}
