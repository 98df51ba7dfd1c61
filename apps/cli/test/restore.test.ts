import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startBackupEnvironment } from './start-backup-environment.ts';

// A restore runs a dozen programs one after another.
const TIMEOUT = { timeout: 300_000 };

async function backUp(environment: Awaited<ReturnType<typeof startBackupEnvironment>>) {
  const { code, stderr } = await environment.run('backup');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const backups = path.join(environment.folder, 'backups');
  const [dump = ''] = await readdir(backups);
  return path.join(backups, dump);
}

test(
  'a restore replaces the live database despite an idle session, keeps the old database, and holds messages that may have been sent',
  TIMEOUT,
  async () => {
    const environment = await startBackupEnvironment();
    const { run, connect } = environment;
    await environment.addMessages(3);
    const dump = await backUp(environment);
    await environment.addMessages(2);
    const idle = await connect('switchboard');

    const prepared = await run('restore-prepare', [dump]);
    expect(prepared).toMatchObject({ code: 0, stderr: '' });
    expect(prepared.stdout).toMatch(/^Restored as switchboard_restored: 1 workspace, 3 messages/m);
    expect(prepared.stdout).toMatch(/^The live database is switchboard: 1 workspace, 5 messages/m);
    // The live database is unchanged.
    expect((await idle.query('SELECT FROM messages')).rowCount).toBe(5);

    const swapped = await run('restore-swap');
    expect(swapped).toMatchObject({ code: 0, stderr: '' });
    expect(swapped.stdout).toContain(
      'Messages to look up at the provider before they are sent: 3.',
    );
    expect(await environment.countMessages('switchboard')).toBe(3);
    const [, kept = ''] = await environment.listDatabases();
    expect(kept).toMatch(/^switchboard_before_\d{8}_\d{6}$/);
    expect(swapped.stdout).toContain(`DROP DATABASE "${kept}"`);
    expect(await environment.countMessages(kept)).toBe(5);
    expect(await environment.listDatabases()).toEqual(['switchboard', kept]);
  },
);

test(
  'a restore is refused while a process of the service is connected, and changes nothing',
  TIMEOUT,
  async () => {
    const environment = await startBackupEnvironment();
    const { run, connect } = environment;
    const dump = await backUp(environment);
    await environment.addMessages(1);
    expect((await run('restore-prepare', [dump])).code).toBe(0);
    const worker = await connect('switchboard', 'switchboard-worker');

    const { code, stderr } = await run('restore-swap');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Nothing was changed\..*\n {2}switchboard-worker from 127\.0\.0\.1: 1 /,
    );
    expect((await worker.query('SELECT FROM messages')).rowCount).toBe(1);
    await connect('switchboard');
    expect(await environment.listDatabases()).toEqual(['switchboard', 'switchboard_restored']);
  },
);

test(
  'a restore on a machine without a database creates one, and a restore with a wrong SECRET_KEY is refused',
  TIMEOUT,
  async () => {
    const environment = await startBackupEnvironment();
    const { run, admin } = environment;
    await environment.addMessages(2);
    const dump = await backUp(environment);
    await admin.query('DROP DATABASE switchboard WITH (FORCE)');

    const SECRET_KEY = `2:${Buffer.alloc(32, 7).toString('base64')}`;
    const refused = await run('restore-prepare', [dump], { SECRET_KEY });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^SECRET_KEY does not decrypt 1 of 1 provider credentials\b.*version 1/,
    );
    expect((await run('restore-swap', [], { SECRET_KEY })).code).toBe(1);
    expect(await environment.listDatabases()).toEqual(['switchboard_restored']);

    expect(await run('restore-swap')).toMatchObject({ code: 0, stderr: '' });
    expect(await environment.listDatabases()).toEqual(['switchboard']);
    expect(await environment.countMessages('switchboard')).toBe(2);
  },
);

test(
  'a restore of a damaged dump stops at the first error and leaves nothing behind',
  TIMEOUT,
  async () => {
    const environment = await startBackupEnvironment();
    const { run, folder } = environment;
    const dump = path.join(folder, 'damaged.dump');
    await writeFile(dump, 'not a dump');
    const { code, stderr } = await run('restore-prepare', [dump]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^pg_restore failed \(exit code 1\):\n.*archive/);
    expect(await environment.listDatabases()).toEqual(['switchboard']);
    expect((await run('restore-swap')).stderr).toMatch(
      /^There is no database switchboard_restored/,
    );
    expect((await run('restore-prepare')).stderr).toContain('Missing <dump>');
  },
);
