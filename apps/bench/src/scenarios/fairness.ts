import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type RunOptions, type Scenario, latency } from '../scenario.ts';
import { sendMessage } from '../environment/api-client.ts';
import { openBenchEnvironment } from '../environment/open-environment.ts';
import { queueBacklog } from '../environment/queue-backlog.ts';
import { readDelays, readLateness } from '../environment/read-delays.ts';
import { percentile } from '@switchboard/testing/percentile';

const BETWEEN_SENDS_MS = 250;
/** The time until a worker that has just started works at full speed. */
const WARM_UP_MS = 3_000;

/** Measures the delay of single messages of one workspace while another workspace has a backlog. */
export const fairness: Scenario = {
  name: 'fairness',
  summary:
    'single messages while another workspace has 100,000 (short: 40,000) queued; scheduled ones while it has 300,000 (short: 100,000) and refused credentials',

  async run(options: RunOptions) {
    const [backlog, sends, refused] = options.short
      ? [40_000, 24, 100_000]
      : [100_000, 60, 300_000];
    const environment = await openBenchEnvironment({ ...options, workspaces: 2 });
    try {
      await environment.startSimulator();
      const api = await environment.startApi();
      const [busy, quiet] = environment.workspaces;
      if (busy === undefined || quiet === undefined) throw new Error('there is no workspace');
      const startWorker = () => environment.startWorker(api.url, { WORKER_CONCURRENCY: '50' });

      const first = await startWorker();
      await delay(WARM_UP_MS);
      const alone = await sendPeriodically(api.url, quiet.apiKey, sends);
      await first.stop();

      options.onProgress(`queueing ${backlog} messages`);
      await queueBacklog({ ...environment, workspace: busy, count: backlog });
      const second = await startWorker();
      await delay(WARM_UP_MS);
      const ids = await sendPeriodically(api.url, quiet.apiKey, sends);

      const client = new pg.Client({ connectionString: environment.databaseUrl });
      await client.connect();
      try {
        const left = await countLeft(client, busy.workspaceId);
        if (left === 0) throw new Error('The backlog ended before the last message was sent.');
        const delays = await readDelays(client, ids);
        await second.stop();

        options.onProgress(`queueing up to ${refused} messages, with credentials that are refused`);
        await queueBacklog({ ...environment, workspace: busy, count: refused - left });
        await refuseCredentials(client, busy.workspaceId);
        await startWorker();
        await delay(WARM_UP_MS);
        const lateness = await readLateness(
          client,
          await schedulePeriodically(api.url, quiet.apiKey, sends),
        );
        return [
          latency(
            'without a backlog: accepted → with the provider, p50',
            percentile(await readDelays(client, alone), 0.5),
          ),
          latency('with a backlog: accepted → with the provider, p50', percentile(delays, 0.5)),
          latency(
            'with a backlog: accepted → with the provider, longest',
            percentile(delays, 1),
            1000,
          ),
          latency(
            `with ${refused} queued and refused credentials: scheduled → with the provider, p50`,
            percentile(lateness, 0.5),
          ),
          latency(
            `with ${refused} queued and refused credentials: scheduled → with the provider, longest`,
            percentile(lateness, 1),
            2000,
          ),
          { name: 'backlog left at the end', value: left, unit: 'count', goal: null },
        ];
      } finally {
        await client.end();
      }
    } finally {
      await environment.close();
    }
  },
};

async function sendPeriodically(url: string, apiKey: string, sends: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < sends) {
    ids.push(await sendMessage(url, apiKey, `Message ${ids.length}`));
    await delay(BETWEEN_SENDS_MS);
  }
  return ids;
}

const SCHEDULE_AHEAD_MS = 3_000;

async function schedulePeriodically(url: string, apiKey: string, sends: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < sends) {
    const at = new Date(Date.now() + SCHEDULE_AHEAD_MS);
    ids.push(await sendMessage(url, apiKey, `Scheduled ${ids.length}`, at));
    await delay(BETWEEN_SENDS_MS);
  }
  return ids;
}

/** Marks the credentials as refused by the provider. The next probe is due after the end of the run. */
async function refuseCredentials(client: pg.Client, workspaceId: string): Promise<void> {
  await client.query(
    `UPDATE provider_accounts SET refused_since = now(), probe_at = now() + interval '1 hour'
     WHERE workspace_id = $1`,
    [workspaceId],
  );
}

async function countLeft(client: pg.Client, workspaceId: string): Promise<number> {
  const { rows } = await client.query<{ left: number }>(
    `SELECT count(*)::int AS left FROM messages WHERE workspace_id = $1 AND dispatch = 'ready'`,
    [workspaceId],
  );
  return rows[0]?.left ?? 0;
}
