import type { Database } from '@switchboard/database';
import type { Finding } from './finding.ts';

const part = 'durability';

/**
 * Checks that a commit is on disk before it is acknowledged. Reads the values that the service's own
 * sessions have, because the server, the database, the role or DATABASE_URL may set them.
 */
export async function checkDurability({ pool }: Pick<Database, 'pool'>): Promise<Finding[]> {
  const { rows } = await pool.query<{
    synchronousCommit: string;
    fsync: string;
    fullPageWrites: string;
    standbys: string;
  }>(
    `SELECT current_setting('synchronous_commit') AS "synchronousCommit",
            current_setting('fsync') AS fsync,
            current_setting('full_page_writes') AS "fullPageWrites",
            current_setting('synchronous_standby_names') AS standbys`,
  );
  const [values] = rows;
  const findings: Finding[] = [];
  if (values?.fsync === 'off') {
    const detail =
      'fsync is off, so a crash of the machine corrupts the database: set fsync = on in postgresql.conf.';
    findings.push({ result: 'problem', part, detail });
  }
  if (values?.synchronousCommit === 'off') {
    const detail =
      'synchronous_commit is off, so a crash of PostgreSQL loses accepted messages: set it to on for the server, the database and the role.';
    findings.push({ result: 'problem', part, detail });
  }
  if (values?.fullPageWrites === 'off') {
    const detail =
      'full_page_writes is off, so a crash of the machine can corrupt the database: set it to on, unless the file system writes pages as a whole, as ZFS does.';
    findings.push({ result: 'warning', part, detail });
  }
  if (values?.synchronousCommit === 'local' && values.standbys !== '') {
    const detail =
      'synchronous_commit is local, so a failover to the synchronous standby can lose accepted messages: set it to on.';
    findings.push({ result: 'warning', part, detail });
  }
  return findings.length > 0
    ? findings
    : [{ result: 'good', part, detail: 'A commit is on disk before it is acknowledged.' }];
}
