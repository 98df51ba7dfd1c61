import type { Database, ProcessStore } from '@switchboard/database';

/**
 * Says which processes keep the credentials from being sealed with the key `keyId`: those that do
 * not seal with it themselves. Sealed now, their next message or change of credentials would need a
 * key that they do not have, or bring the older key back.
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

  // A release without the list of processes shows by its connections alone.
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
