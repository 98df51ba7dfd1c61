import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import type { Figure, RunOptions, Scenario } from '../scenario.ts';
import { type BenchEnvironment, openBenchEnvironment } from '../environment/open-environment.ts';
import { queueBacklog } from '../environment/queue-backlog.ts';
import { setSlowCommits } from '../environment/slow-commits.ts';
import { median } from '../statistics.ts';

const WORKSPACES = 16;
const WORKERS = [1, 2, 4] as const;
/** The goals are ratios to one worker. */
const GOALS: Readonly<Record<number, number>> = { 2: 1.7, 4: 2.2 };
/** The part of the backlog between these is measured, without the start and the last calls. */
const MEASURED = { from: 0.3, to: 0.95 };
const POLL_MS = 100;

/** Measures whether more workers send a backlog faster when commits are slow. */
export const drain: Scenario = {
  name: 'drain',
  summary: 'a backlog of 16 workspaces, sent by 1, 2 and 4 workers, with commits of 5 ms',

  async run(options: RunOptions): Promise<Figure[]> {
    const [rounds, count] = options.short ? [2, 12_000] : [5, 32_000];
    const environment = await openBenchEnvironment({ ...options, workspaces: WORKSPACES });
    const client = new pg.Client({ connectionString: environment.databaseUrl });
    try {
      await client.connect();
      const carrier = await environment.startCheapCarrier();
      const answer = await request(`${carrier.url}/callbacks/off`, { method: 'PUT' });
      await answer.body.dump();
      await setSlowCommits(environment.databaseUrl, true);
      const rates = new Map(WORKERS.map((workers): [number, number[]] => [workers, []]));
      for (let round = 1; round <= rounds; round += 1) {
        for (const [workers, ofWorkers] of rates) {
          options.onProgress(`round ${round} of ${rounds}, workers: ${workers}`);
          ofWorkers.push(await drainOnce(environment, client, workers, count));
        }
      }
      const alone = rates.get(1) ?? [];
      return [...rates].flatMap(([workers, ofWorkers]): Figure[] => {
        const name = `5 ms, drained by ${workers === 1 ? '1 worker' : `${workers} workers`}`;
        const goal = GOALS[workers];
        const ratios = ofWorkers.map((rate, round) => rate / (alone[round] ?? NaN));
        return [
          { name, value: median(ofWorkers), unit: 'per second', goal: null },
          ...(goal === undefined
            ? []
            : [
                {
                  name: `${name}: against 1`,
                  value: median(ratios),
                  unit: 'times' as const,
                  goal: { atLeast: goal },
                },
              ]),
        ];
      });
    } finally {
      await client.end();
      await environment.close();
    }
  },
};

/** Queues a backlog, starts workers, and returns how many messages they sent per second. */
async function drainOnce(
  environment: BenchEnvironment,
  client: pg.Client,
  workers: number,
  count: number,
): Promise<number> {
  for (const workspace of environment.workspaces) {
    await queueBacklog({ ...environment, workspace, count: count / WORKSPACES });
  }
  // Callbacks are off, so no API is needed.
  const publicUrl = 'http://127.0.0.1:9';
  const started = await Promise.all(
    Array.from({ length: workers }, () =>
      environment.startWorker(publicUrl, { WORKER_CONCURRENCY: '256' }),
    ),
  );
  const begin = await waitUntilLeft(client, count * (1 - MEASURED.from));
  const end = await waitUntilLeft(client, count * (1 - MEASURED.to));
  await waitUntilLeft(client, 0);
  await Promise.all(started.map((worker) => worker.stop()));
  return ((begin.left - end.left) * 1_000) / (end.at - begin.at);
}

/** Waits until at most `most` messages are not yet with the provider. */
async function waitUntilLeft(
  client: pg.Client,
  most: number,
): Promise<{ left: number; at: number }> {
  for (;;) {
    const { rows } = await client.query<{ left: number }>(
      `SELECT count(*)::int AS left FROM messages WHERE dispatch IN ('ready', 'inflight')`,
    );
    const at = performance.now();
    const left = rows[0]?.left ?? 0;
    if (left <= most) return { left, at };
    await delay(POLL_MS);
  }
}
