import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase, createHistoryReads, type Database } from '@switchboard/database';
import { type Finding, describeFailure } from './finding.ts';

const part = 'replica';
const LOOKS = 3;
const LOOK_EVERY_MS = 500;

/** Looks as the API does, for as long as it takes to see whether the replica follows. */
export async function checkReplica(
  primary: Database,
  settings: { url: string | undefined; maxLagMs: number },
): Promise<Finding[]> {
  const { url, maxLagMs } = settings;
  if (url === undefined) return [];
  const options = {
    poolSize: 1,
    applicationName: 'switchboard-doctor',
    onError: () => undefined, // the findings tell
  };
  const own = createDatabase({ ...options, url });
  try {
    await own.ping();
    if (!(await isSameDatabase(primary, own))) {
      const text = 'REPLICA_DATABASE_URL names a database that is no copy of this one.';
      return [{ verdict: 'bad', part, text }];
    }
  } catch (error) {
    const text = `The replica does not answer (${describeFailure(error)}): history is read from the primary. Check REPLICA_DATABASE_URL.`;
    return [{ verdict: 'bad', part, text }];
  } finally {
    await own.close();
  }

  let reason = 'the replica has not been seen to follow';
  const history = createHistoryReads({
    ...options,
    primary,
    replicaUrl: url,
    maxLagMs,
    lookEveryMs: LOOK_EVERY_MS,
    onChange: (from, why) => {
      if (from === 'primary') reason = why;
    },
  });
  try {
    let lagMs = Infinity;
    for (let looks = 0; looks < LOOKS; looks += 1) {
      await pause(LOOK_EVERY_MS);
      lagMs = Math.min(lagMs, history.lagMs() ?? Infinity);
    }
    return lagMs <= maxLagMs
      ? [{ verdict: 'good', part, text: `At most ${Math.ceil(lagMs)} ms behind.` }]
      : [{ verdict: 'bad', part, text: `History is read from the primary: ${reason}.` }];
  } finally {
    await history.close();
  }
}

/** Clusters have a number that copies keep. Who may not ask for it gets the benefit of the doubt. */
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
