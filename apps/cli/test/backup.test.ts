import { execFile } from 'node:child_process';
import { readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { findRestic } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { startBackupEnvironment } from './start-backup-environment.ts';

// A backup and a restore run a dozen programs one after another.
const TIMEOUT = { timeout: 300_000 };

type Environment = Awaited<ReturnType<typeof startBackupEnvironment>>;

/** Reads the two metrics of a job from the file for node_exporter's textfile collector. */
async function readMetrics({ folder }: Environment, name: string) {
  const text = await readFile(path.join(folder, `switchboard_${name}.prom`), 'utf8');
  const valueOf = (metric: string) =>
    Number(new RegExp(`^switchboard_${name}_${metric} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    succeeded: valueOf('last_run_success'),
    at: valueOf('last_success_timestamp_seconds'),
  };
}

test(
  'a backup leaves one complete dump, deletes dumps that are too old, and reports its success as a metric',
  TIMEOUT,
  async () => {
    const environment = await startBackupEnvironment();
    const backups = path.join(environment.folder, 'backups');
    expect(await environment.run('backup')).toMatchObject({ code: 0, stderr: '' });
    const [first = ''] = await readdir(backups);
    expect(first).toMatch(/^\d{4}-\d\d-\d\dT\d{6}Z\.dump$/);
    const { succeeded, at } = await readMetrics(environment, 'backup');
    expect(succeeded).toBe(1);
    expect(Math.abs(at - Date.now() / 1_000)).toBeLessThan(120);

    const old = path.join(backups, '2020-01-01T000000Z.dump');
    await writeFile(old, '');
    await utimes(old, new Date(0), new Date(0));
    await writeFile(path.join(backups, 'of-the-operator.txt'), '');
    const second = await environment.run('backup', [], { BACKUP_DAYS: '1' });
    expect(second.stdout).toContain('Deleted dumps older than 1 days: 1.');
    // A backup within the same second replaces the first one, so their number is not fixed.
    const kept = await readdir(backups);
    expect(kept).toEqual(expect.arrayContaining([first, 'of-the-operator.txt']));
    expect(kept).not.toContain(path.basename(old));
  },
);

test(
  'a backup that fails leaves no dump, and its metrics keep the time of the last success',
  TIMEOUT,
  async () => {
    const environment = await startBackupEnvironment();
    await environment.run('backup');
    const before = await readMetrics(environment, 'backup');
    const DATABASE_URL = environment.url('absent');
    const { code, stderr } = await environment.run('backup', [], { DATABASE_URL });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^pg_dump failed .*\n.*"absent" does not exist/);
    expect(stderr).not.toContain(new URL(DATABASE_URL).password);
    expect(await readMetrics(environment, 'backup')).toEqual({ succeeded: 0, at: before.at });
    expect(await readdir(path.join(environment.folder, 'backups'))).toHaveLength(1);
    expect((await readdir(environment.folder)).filter((name) => /\.prom\./.test(name))).toEqual([]);
  },
);

test(
  'the restore test restores the off-machine copy, drops the restored database, and fails if messages are missing',
  TIMEOUT,
  async () => {
    const environment = await startBackupEnvironment();
    const { folder, run, admin } = environment;
    const restic = {
      RESTIC_REPOSITORY: path.join(folder, 'other-machine'),
      RESTIC_PASSWORD_FILE: path.join(folder, 'restic-password'),
      RESTIC_CACHE_DIR: path.join(folder, 'cache'),
    };
    await writeFile(restic.RESTIC_PASSWORD_FILE, 'of the repository');
    await promisify(execFile)(await findRestic(), ['init'], { env: { HOME: folder, ...restic } });

    await environment.addMessages(4);
    expect(await run('backup', [], restic)).toMatchObject({ code: 0, stderr: '' });
    const tested = await run('restore-test', [], restic);
    expect(tested).toMatchObject({ code: 0, stderr: '' });
    expect(tested.stdout).toMatch(
      /^Restored \S+restore-test-\S+\.dump in \S+ s: 1 workspace, 4 messages/,
    );
    expect(await environment.listDatabases()).toEqual(['switchboard']);
    expect(await readdir(path.join(folder, 'backups'))).toHaveLength(1);
    const { succeeded, at } = await readMetrics(environment, 'restore_test');
    expect(succeeded).toBe(1);

    // Adds an older message to the live database, which is missing from the backup.
    const live = await environment.connect('switchboard');
    await live.query(
      `WITH copied AS (SELECT * FROM messages LIMIT 1)
       INSERT INTO message_records (id, workspace_id, direction, "to", body, segments, status, created_at,
         updated_at, dispatch)
       SELECT uuid_v7(created_at - interval '1 hour'), workspace_id, direction, "to", body, segments,
         'delivered', created_at - interval '1 hour', updated_at, 'accepted' FROM copied`,
    );
    await live.end();
    const failed = await run('restore-test', [], restic);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(
      /^The restored database has 0 messages up to \S+, but the live one has 1\./,
    );
    expect(await readMetrics(environment, 'restore_test')).toEqual({ succeeded: 0, at });
    expect(
      (await admin.query(`SELECT FROM pg_database WHERE datname LIKE '%test%'`)).rowCount,
    ).toBe(0);
  },
);
