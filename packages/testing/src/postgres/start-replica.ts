import { chmod, copyFile, cp, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres';
import pg from 'pg';
import { createTemporaryCluster } from './temporary-clusters.ts';

export interface PostgresReplica {
  url: string;
  /** Shows no more of what the primary does, until it is resumed. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Makes a primary of it, on a timeline of its own. */
  promote(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good, and removes what it kept. */
  close(): Promise<void>;
}

/** What the primary is still to be asked for, or belongs to its process. */
const LEFT_OUT = new Set(['pg_wal', 'postmaster.pid', 'postmaster.opts', 'pg_stat_tmp']);

/**
 * A streaming replica of a server of the test's own, made by the low-level base backup, as there is
 * no pg_basebackup: https://www.postgresql.org/docs/current/continuous-archiving.html
 */
export async function startReplica(primary: {
  url: string;
  dataDir: string;
}): Promise<PostgresReplica> {
  const { dataDir, remove } = await createTemporaryCluster();
  const cluster = join(dataDir, 'cluster');
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('replica', fast => true)`);
    await cp(join(primary.dataDir, 'cluster'), cluster, {
      recursive: true,
      filter: (path) => !LEFT_OUT.has(basename(path)),
    });
    const { rows } = await client.query<{ labelfile: string }>('SELECT * FROM pg_backup_stop()');
    await writeFile(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  await writeFile(join(cluster, 'standby.signal'), '');
  await cp(join(primary.dataDir, 'cluster/pg_wal'), join(cluster, 'pg_wal'), { recursive: true });
  await chmod(cluster, 0o700);
  await copyFile(join(primary.dataDir, 'password'), join(dataDir, 'password'));

  const { hostname, port, username, password } = new URL(primary.url);
  const settings = {
    primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}`,
  };
  let postgres = await startEmbeddedPostgres({ dataDir, settings });
  const { url } = postgres;

  async function query(sql: string): Promise<void> {
    const own = new pg.Client({ connectionString: url });
    await own.connect();
    await own.query(sql).finally(() => own.end());
  }

  return {
    url,
    pauseReplay: () => query('SELECT pg_wal_replay_pause()'),
    resumeReplay: () => query('SELECT pg_wal_replay_resume()'),
    promote: () => query('SELECT pg_promote()'),
    stop: () => postgres.stop(),
    async start() {
      postgres = await startEmbeddedPostgres({ dataDir, settings, port: postgres.port });
    },
    async close() {
      await postgres.stop();
      await remove();
    },
  };
}
