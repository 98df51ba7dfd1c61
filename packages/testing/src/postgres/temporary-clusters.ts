import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findMemoryFolder } from '../run/run-folders.ts';

/** Shared memory is a file of the cluster, which is removed with it even after the server was killed. */
export const TEMPORARY_SETTINGS = { dynamic_shared_memory_type: 'mmap' };

export interface TemporaryCluster {
  dataDir: string;
  remove(): Promise<void>;
}

/** Creates a folder for a cluster that is not needed after the run. */
export async function createTemporaryCluster(): Promise<TemporaryCluster> {
  const folder = await mkdtemp(join(findMemoryFolder(), 'postgres-'));
  return {
    dataDir: join(folder, 'data'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
