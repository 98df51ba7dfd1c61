import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, createHistoryReads, type Database } from '@switchboard/database';
import { describeConnectFailure } from './describe-connect-failure.ts';
import type { Finding } from './finding.ts';

const part = 'replica';
const SAMPLES = 3;
const SAMPLE_EVERY_MS = 500;

/** Checks the replica's lag, which is measured as in the API. The smallest of several samples counts. */
export async function checkReplica(
  primary: Database,
  settings: { url: string | undefined; maxLagMs: number },
): Promise<Finding[]> {
  const { url, maxLagMs } = settings;
  if (url === undefined) return [];
  const options = {
    poolSize: 1,
    applicationName: 'switchboard-doctor',
    onError: () => undefined, // The statement fails with the same error.
  };
  const own = createDatabase({ ...options, url });
  try {
    await own.ping();
    if (!(await isSameDatabase(primary, own))) {
      const detail =
        'REPLICA_DATABASE_URL names a database that is not a copy of this one: set it to a streaming replica.';
      return [{ result: 'problem', part, detail }];
    }
  } catch (error) {
    const failure = describeConnectFailure(error, {
      server: 'The replica',
      setting: 'REPLICA_DATABASE_URL',
    });
    const detail = `${failure} History is read from the primary.`;
    return [{ result: 'problem', part, detail }];
  } finally {
    await own.close();
  }

  let reason = 'the replica did not report its position';
  const history = createHistoryReads({
    ...options,
    primary,
    replicaUrl: url,
    maxLagMs,
    checkEveryMs: SAMPLE_EVERY_MS,
    onChange: (from, why) => {
      if (from === 'primary') reason = why;
    },
  });
  try {
    let lagMs = Infinity;
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      await delay(SAMPLE_EVERY_MS);
      lagMs = Math.min(lagMs, history.lagMs() ?? Infinity);
    }
    return lagMs <= maxLagMs
      ? [{ result: 'good', part, detail: `At most ${Math.ceil(lagMs)} ms behind.` }]
      : [
          {
            result: 'problem',
            part,
            detail: `History is read from the primary: ${reason}. Check the replica's log and disk.`,
          },
        ];
  } finally {
    await history.close();
  }
}

/**
 * Compares the system identifiers of the servers, which are equal for a primary and its physical
 * replicas. Returns true if the role may not read them.
 */
async function isSameDatabase(primary: Database, replica: Database): Promise<boolean> {
  const identify = async ({ pool }: Database): Promise<string | null> => {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT system_identifier || '/' || current_database() AS id FROM pg_control_system()`,
    );
    return rows[0]?.id ?? null;
  };
  const [one, other] = await Promise.all(
    [primary, replica].map((database) => identify(database).catch(() => null)),
  );
  return one === null || other === null || one === other;
}
