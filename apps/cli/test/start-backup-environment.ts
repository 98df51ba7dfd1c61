import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type CommandResult,
  TEST_SECRET_KEY,
  createWorkspaceFixture,
  findPostgresPrograms,
  findRestic,
  runCommand,
  startPostgres,
  updateMessages,
} from '@switchboard/testing';
import pg from 'pg';
import { onTestFinished } from 'vitest';

/** Starts a live database with one workspace, on a server that the installed pg_dump supports. */
export async function startBackupEnvironment() {
  const { folder: programs, binaries } = await findPostgresPrograms();
  const folder = await mkdtemp(path.join(tmpdir(), 'switchboard-backup-test-'));
  // The commands find restic by its name, which a fetched program does not have.
  const commands = path.join(folder, 'commands');
  await mkdir(commands);
  await writeFile(path.join(commands, 'restic'), `#!/bin/sh\nexec '${await findRestic()}' "$@"\n`, {
    mode: 0o755,
  });
  const server = await startPostgres({ binaries, migrate: async () => undefined });
  onTestFinished(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const url = (name: string) => server.url.replace(/\/postgres$/, `/${name}`);
  const open: pg.Client[] = [];
  onTestFinished(async () => {
    await Promise.all(open.map((client) => client.end().catch(() => undefined)));
  });

  async function connect(name: string, applicationName = 'psql'): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url(name),
      application_name: applicationName,
    });
    // The restore ends this session.
    client.on('error', () => undefined);
    await client.connect();
    open.push(client);
    return client;
  }

  async function run(
    name: string,
    args: string[] = [],
    env: Record<string, string> = {},
  ): Promise<CommandResult> {
    const settings = {
      PATH: [programs, commands, '/usr/bin:/bin'].join(':'),
      HOME: folder,
      DATABASE_URL: url('switchboard'),
      SECRET_KEY: TEST_SECRET_KEY,
      BACKUP_DIR: path.join(folder, 'backups'),
      METRICS_TEXTFILE_DIR: folder,
      ...env,
    };
    // Each command runs several programs one after another, and the machine may be busy.
    return runCommand(name, { args, env: settings, timeoutMs: 120_000 });
  }

  const admin = await connect('postgres');
  await admin.query(
    `CREATE DATABASE switchboard TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'`,
  );
  await run('migrate');
  const { workspaceId } = await createWorkspaceFixture(url('switchboard'));

  return {
    folder,
    run,
    connect,
    admin,
    url,
    /** Adds messages that are ready to send. */
    async addMessages(count: number): Promise<void> {
      const client = await connect('switchboard');
      await client.query(
        `INSERT INTO message_records (id, workspace_id, direction, "to", body, segments, status, created_at,
           updated_at, dispatch)
         SELECT uuid_v7(now()), $1, 'outbound', '+14155550100', '', 1, 'queued', now(), now(), 'ready'
         FROM generate_series(1, $2::int)`,
        [workspaceId, count],
      );
      await updateMessages(client, { set: 'due_at = now()', where: `dispatch = 'ready'` });
      await client.end();
    },
    async countMessages(name: string): Promise<number> {
      const client = await connect(name);
      const { rows } = await client.query<{ count: number }>('SELECT count(*)::int FROM messages');
      await client.end();
      return rows[0]?.count ?? Number.NaN;
    },
    async listDatabases(): Promise<string[]> {
      const { rows } = await admin.query<{ datname: string }>(
        `SELECT datname FROM pg_database WHERE datname LIKE 'switchboard%' ORDER BY 1`,
      );
      return rows.map(({ datname }) => datname);
    },
  };
}
