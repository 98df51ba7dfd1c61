import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres';
import pg from 'pg';
import { readTestingConfig } from '../config.ts';
import { EVENTUALLY } from '../eventually.ts';
import { migrateTemplate } from './migrate-template.ts';
import { TEMPORARY_SETTINGS, createTemporaryCluster } from './temporary-clusters.ts';

/** Sessions that are still open after these checks, such as those of a frozen process, are terminated. */
const SESSION_CHECKS = { count: 100, everyMs: 20 };

export interface DatabaseServer {
  /** Creates a database, migrated unless `empty` is true, and returns its URL. */
  create(empty: boolean): Promise<string>;
  drop(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens PostgreSQL for one test run: the server that the environment names, or a new one. */
export async function createDatabaseServer(): Promise<DatabaseServer> {
  const configured = readTestingConfig().databaseUrl;
  const server = configured === undefined ? await startTemporary() : { url: configured, stop };
  // Half of the CPU time of the default. It waits for a checkpoint, which is slow on a server that writes to a disk.
  const strategy = configured === undefined ? 'STRATEGY file_copy' : '';
  const admin = new pg.Pool({
    connectionString: server.url,
    max: 2,
    connectionTimeoutMillis: EVENTUALLY.timeout,
    query_timeout: EVENTUALLY.timeout,
  });
  admin.on('error', () => undefined); // The next query reports the error.

  const run = randomBytes(4).toString('hex');
  const template = `switchboard_template_${run}`;
  const databases = new Set<string>();
  let created = 0;

  async function create(name: string, from: string): Promise<string> {
    databases.add(name);
    await admin.query(`CREATE DATABASE "${name}" TEMPLATE "${from}" ${strategy}`);
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  async function drop(name: string): Promise<void> {
    if (!databases.has(name)) throw new Error(`This run did not create a database named ${name}.`);
    await waitForSessionsToEnd(name);
    await admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    databases.delete(name);
  }

  /**
   * Waits until no session uses the database: a client's `end` resolves before its session has
   * ended, and a session that the drop terminates would raise an error in the test that closed the
   * client. Counts checks instead of the time, in which a busy machine may have ended no session.
   */
  async function waitForSessionsToEnd(name: string): Promise<void> {
    const sessions = 'SELECT 1 FROM pg_stat_activity WHERE datname = $1 LIMIT 1';
    for (let check = 0; check < SESSION_CHECKS.count; check += 1) {
      if ((await admin.query(sessions, [name])).rowCount === 0) return;
      await delay(SESSION_CHECKS.everyMs);
    }
  }

  async function close(): Promise<void> {
    try {
      if (configured !== undefined) for (const name of databases) await drop(name);
    } finally {
      await admin.end();
      await server.stop();
    }
  }

  try {
    await migrateTemplate(await create(template, 'template0'));
  } catch (error) {
    await close();
    throw error;
  }

  return {
    create(empty) {
      created += 1;
      return create(`switchboard_test_${run}_${created}`, empty ? 'template0' : template);
    },
    drop,
    close,
  };
}

const NOT_DURABLE = {
  ...TEMPORARY_SETTINGS,
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
};

/** Starts a server whose data is not needed after the run, so nothing has to be written to disk. */
async function startTemporary(): Promise<{ url: string; stop(): Promise<void> }> {
  const { dataDir, remove } = await createTemporaryCluster();
  const postgres = await startEmbeddedPostgres({ dataDir, settings: NOT_DURABLE });
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      await remove();
    },
  };
}

async function stop(): Promise<void> {} // a server that this run did not start
