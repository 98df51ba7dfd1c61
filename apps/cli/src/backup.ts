// npm run backup: dumps the database into BACKUP_DIR, copies the dump to the restic repository
// RESTIC_REPOSITORY if one is set, and deletes dumps and copies that are older than BACKUP_DAYS.
import { stat } from 'node:fs/promises';
import { copyOffMachine } from './backup/off-machine-copy.ts';
import { deleteOldDumps, dumpDatabase } from './backup/dumps.ts';
import { readBackupConfig } from './config.ts';
import { recordRun } from './record-run.ts';
import { runCommand } from './run-command.ts';

await runCommand({ name: 'backup' }, async () => {
  const config = readBackupConfig();
  const { BACKUP_DIR: folder, BACKUP_DAYS: days, environment } = config;
  await recordRun({ name: 'backup', folder: config.METRICS_TEXTFILE_DIR }, async () => {
    const startedAt = performance.now();
    const file = await dumpDatabase(config.url, folder, environment);
    const { size } = await stat(file);
    console.log(
      `Wrote ${file}: ${(size / 1e6).toFixed(1)} MB in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`,
    );
    if (config.RESTIC_REPOSITORY !== undefined) {
      await copyOffMachine(file, days, environment);
      console.log('Copied it to RESTIC_REPOSITORY.');
    }
    const deleted = await deleteOldDumps(folder, days);
    if (deleted > 0) console.log(`Deleted dumps older than ${days} days: ${deleted}.`);
  });
});
