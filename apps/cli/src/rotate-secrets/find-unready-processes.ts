import type { Database, ProcessStore } from '@switchboard/database';

/**
 * Returns the processes that do not encrypt with the key `keyId` yet. After a rotation, these processes
 * could not decrypt the credentials, or would encrypt changed credentials with the older key again.
 */
export async function findUnreadyProcesses(dependencies: {
  database: Pick<Database, 'pool'>;
  processes: Pick<ProcessStore, 'listRunning'>;
  keyId: string;
}): Promise<string[]> {
  const { database, processes, keyId } = dependencies;
  const running = await processes.listRunning();
  const unready = running
    .filter(({ keyIds }) => keyIds[0] !== keyId)
    .map(({ role, host, pid, keyIds, seenMsAgo }) => {
      const has = keyIds.includes(keyId) ? 'has the newest key, but not first' : 'lacks the key';
      return `${role}, process ${pid} on ${host}: ${has} (last report ${Math.round(seenMsAgo / 1_000)} s ago)`;
    });

  // Processes of a release that does not report itself are visible only as connections.
  const { rows } = await database.pool.query<{ role: string; count: number }>(
    `SELECT substr(application_name, 13) AS role, count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name IN ('switchboard-api', 'switchboard-worker')
     GROUP BY 1 ORDER BY 1`,
  );
  const unreported = rows
    .filter(({ role }) => !running.some((process) => process.role === role))
    .map(
      ({ role, count }) =>
        `${role}: ${count} connections, of a release that does not report its keys`,
    );
  return [...unready, ...unreported];
}
