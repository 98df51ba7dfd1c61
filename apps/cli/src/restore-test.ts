// npm run restore-test: restores the newest backup alongside the live database, compares the two, and
// drops the restored database. With RESTIC_REPOSITORY, it restores the copy in that repository.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findNewestDump } from './backup/dumps.ts';
import { fetchNewestCopy } from './backup/off-machine-copy.ts';
import { parsePostgresUrl } from './backup/postgres-url.ts';
import { CommandError } from './command-error.ts';
import { type RestoreConfig, readRestoreConfig } from './config.ts';
import { recordRun } from './record-run.ts';
import { checkCredentials } from './restore/check-credentials.ts';
import { compareWithLive } from './restore/compare-with-live.ts';
import { describeSize } from './restore/measure-database.ts';
import { dropDatabase, restoreBeside } from './restore/restore-beside.ts';
import { runCommand } from './run-command.ts';

await runCommand({ name: 'restore-test' }, async () => {
  const config = readRestoreConfig();
  await recordRun({ name: 'restore_test', folder: config.METRICS_TEXTFILE_DIR }, async () => {
    const draft = await mkdtemp(join(config.BACKUP_DIR, 'restore-test-'));
    try {
      await testRestore(config, await findDump(config, draft));
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  });
});

async function findDump(config: RestoreConfig, draft: string): Promise<string> {
  const dump =
    config.RESTIC_REPOSITORY === undefined
      ? await findNewestDump(config.BACKUP_DIR)
      : await fetchNewestCopy(draft, config.environment);
  if (dump === null) throw new CommandError(`There is no backup in ${config.BACKUP_DIR}.`);
  return dump;
}

async function testRestore(config: RestoreConfig, dump: string): Promise<void> {
  const { url, environment: env } = config;
  const { database, withDatabase } = parsePostgresUrl(url);
  const name = `${database}_restore_test`;
  const startedAt = performance.now();
  // An interrupted test may have left this database behind.
  await dropDatabase(url, name, env);
  try {
    await restoreBeside({ url, name, dump, env });
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    await checkCredentials(withDatabase(name), config.SECRET_KEY);
    const size = await compareWithLive({ live: url, restored: withDatabase(name), env });
    console.log(`Restored ${dump} in ${seconds} s: ${describeSize(size)}.`);
  } finally {
    await dropDatabase(url, name, env);
  }
}
