import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres';
import pg from 'pg';
import { backUpCluster } from './back-up-cluster.ts';
import { TEMPORARY_SETTINGS, createTemporaryCluster } from './temporary-clusters.ts';

export interface PostgresReplica {
  url: string;
  /** Pauses WAL replay until `resume`. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Promotes the replica to a primary on a new timeline. */
  promote(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the replica permanently and deletes its data. */
  close(): Promise<void>;
}

/** Starts a streaming replica of a server that belongs to the test. */
export async function startReplica(primary: {
  url: string;
  dataDir: string;
}): Promise<PostgresReplica> {
  const { dataDir, remove } = await createTemporaryCluster();
  await backUpCluster(primary, dataDir);
  await writeFile(join(dataDir, 'cluster/standby.signal'), '');

  const { hostname, port, username, password } = new URL(primary.url);
  const settings = {
    ...TEMPORARY_SETTINGS,
    primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}`,
    // Otherwise a replay that was paused for long cancels statements, even the one that resumes it.
    max_standby_streaming_delay: '-1',
    max_standby_archive_delay: '-1',
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
