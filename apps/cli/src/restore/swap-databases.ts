import { parsePostgresUrl } from '../backup/postgres-url.ts';
import { type Psql, createPsql, quoteIdentifier, quoteLiteral } from '../backup/psql.ts';
import type { Environment } from '../backup/run-program.ts';
import { CommandError } from '../command-error.ts';

/**
 * Gives the restored database the name of the live one, which is kept under another name. Refuses
 * while a process of the service is connected, and ends every other session. `prepare` runs when
 * sessions can no longer write to the live database. If a step fails, the live database stays in place.
 *
 * @returns the new name of the live database, or null if there was none
 */
export async function swapDatabases(options: {
  url: string;
  restored: string;
  env: Environment;
  prepare(): Promise<void>;
}): Promise<string | null> {
  const { url, restored, env, prepare } = options;
  const { database: live, withDatabase } = parsePostgresUrl(url);
  const psql = createPsql(withDatabase('postgres'), env);
  const rename = (from: string, to: string) =>
    `ALTER DATABASE ${quoteIdentifier(from)} RENAME TO ${quoteIdentifier(to)}`;

  const [found] = await psql(`SELECT 1 FROM pg_database WHERE datname = ${quoteLiteral(live)}`);
  if (found === undefined) {
    await prepare();
    await psql(rename(restored, live));
    return null;
  }

  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_');
  const kept = `${live}_before_${time}`;
  await assertServiceStopped(psql, live);
  const allow = (name: string, isAllowed: boolean) =>
    psql(`ALTER DATABASE ${quoteIdentifier(name)} ALLOW_CONNECTIONS ${isAllowed}`);
  await allow(live, false);
  let isSwapped = false;
  try {
    // A process may have connected since the first check, and its writes would be lost.
    await assertServiceStopped(psql, live);
    await endSessions(psql, live);
    await prepare();
    await endSessions(psql, restored);
    // Both names change in one transaction, so that the database always exists.
    await psql(`BEGIN; ${rename(live, kept)}; ${rename(restored, live)}; COMMIT`);
    isSwapped = true;
    return kept;
  } finally {
    await allow(isSwapped ? kept : live, true);
  }
}

async function assertServiceStopped(psql: Psql, database: string): Promise<void> {
  const sessions = await psql(
    `SELECT application_name, COALESCE(host(client_addr), 'this machine'), count(*)
     FROM pg_stat_activity
     WHERE datname = ${quoteLiteral(database)} AND application_name LIKE 'switchboard-%'
     GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  if (sessions.length === 0) return;
  throw new CommandError(
    [
      `Nothing was changed. The service is still connected to ${database}:`,
      ...sessions.map(([name, host, count]) => `  ${name} from ${host}: ${count} sessions`),
      'Stop every API, worker and timer, and PgBouncer if you use it. Then run the command again.',
    ].join('\n'),
  );
}

async function endSessions(psql: Psql, database: string): Promise<void> {
  await psql(
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
     WHERE datname = ${quoteLiteral(database)} AND backend_type = 'client backend'`,
  );
}
