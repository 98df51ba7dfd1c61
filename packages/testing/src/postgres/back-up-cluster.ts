import { chmod, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Files that a copy does not need, or that are copied after the backup has ended. */
const EXCLUDED = new Set(['pg_wal', 'postmaster.pid', 'postmaster.opts', 'pg_stat_tmp']);

/**
 * Copies a running server's cluster into another data folder with the low-level backup API, because
 * pg_basebackup is missing: https://www.postgresql.org/docs/current/continuous-archiving.html
 */
export async function backUpCluster(
  primary: { url: string; dataDir: string },
  dataDir: string,
): Promise<void> {
  const from = join(primary.dataDir, 'cluster');
  const to = join(dataDir, 'cluster');
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('copy', fast => true)`);
    await copyFolder(from, to, EXCLUDED);
    const { rows } = await client.query<{ labelfile: string }>('SELECT * FROM pg_backup_stop()');
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  await copyFolder(join(from, 'pg_wal'), join(to, 'pg_wal'));
  await chmod(to, 0o700);
  await copyFile(join(primary.dataDir, 'password'), join(dataDir, 'password'));
}

/** The server keeps running. The protocol allows files to disappear before they are copied. */
async function copyFolder(from: string, to: string, excluded = new Set<string>()): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (excluded.has(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target);
    else await copyFile(source, target).catch(ignoreMissing);
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
