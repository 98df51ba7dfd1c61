import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres';
import { migrateTemplate } from './migrate-template.ts';
import { type TemporaryCluster, createTemporaryCluster } from './temporary-clusters.ts';

type FindTemplate = () => Promise<string | null>;

let find: FindTemplate = async () => null;

/** Makes servers of this process start from a copy of the template that `replacement` finds. */
export function findClusterTemplateWith(replacement: FindTemplate): void {
  find = replacement;
}

/**
 * Creates a stopped, migrated cluster. Copying it takes a tenth of the CPU time of `initdb` and
 * all migrations, which is a second. All copies have the same password and system identifier.
 */
export async function createClusterTemplate(): Promise<TemporaryCluster> {
  const cluster = await createTemporaryCluster();
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: cluster.dataDir });
    await migrateTemplate(postgres.url).finally(() => postgres.stop());
    // Each copy chooses its own port.
    await rm(join(cluster.dataDir, 'port'));
  } catch (error) {
    await cluster.remove();
    throw error;
  }
  return cluster;
}

/** Copies the template, if there is one, to a folder that does not exist yet. Returns whether it did. */
export async function copyClusterTemplate(dataDir: string): Promise<boolean> {
  const template = await find();
  if (template === null) return false;
  // Keeps the owner of the files, which may differ from the user of this process.
  await promisify(execFile)('cp', ['-a', template, dataDir]);
  return true;
}
