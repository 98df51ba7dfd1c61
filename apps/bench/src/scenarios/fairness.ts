import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { RunOptions, Scenario } from '../scenario.ts';
import { sendMessage } from '../stage/api-client.ts';
import { openStage } from '../stage/open-stage.ts';
import { queueBacklog } from '../stage/queue-backlog.ts';
import { percentile } from '../statistics.ts';

const BETWEEN_SENDS_MS = 250;
/** Until a worker that was just started works as one that has been running. */
const WARM_UP_MS = 3_000;

/** One workspace has a backlog; what of the other's messages, sent now and then? */
export const fairness: Scenario = {
  name: 'fairness',
  summary: 'a single message while another workspace has 100,000 (short: 40,000) queued',

  async run(options: RunOptions) {
    const [backlog, sends] = options.short ? [40_000, 24] : [100_000, 60];
    const stage = await openStage({ ...options, workspaces: 2 });
    try {
      await stage.startSimulator();
      const api = await stage.startApi();
      const [busy, quiet] = stage.workspaces;
      if (busy === undefined || quiet === undefined) throw new Error('there is no workspace');
      const startWorker = () => stage.startWorker(api.url, { WORKER_CONCURRENCY: '50' });

      const first = await startWorker();
      await delay(WARM_UP_MS);
      const alone = await sendNowAndThen(api.url, quiet.apiKey, sends);
      await first.stop();

      options.onProgress(`queueing ${backlog} messages`);
      await queueBacklog({ ...stage, workspace: busy, count: backlog });
      await startWorker();
      await delay(WARM_UP_MS);
      const ids = await sendNowAndThen(api.url, quiet.apiKey, sends);

      const client = new pg.Client({ connectionString: stage.databaseUrl });
      await client.connect();
      try {
        const left = await countLeft(client, busy.workspaceId);
        if (left === 0) throw new Error('The backlog ended before the last message was sent.');
        const delays = await readDelays(client, ids);
        return [
          {
            name: 'without a backlog: accepted → with the provider, p50',
            value: percentile(await readDelays(client, alone), 0.5),
            unit: 'ms',
            goal: null,
          },
          {
            name: 'behind it: accepted → with the provider, p50',
            value: percentile(delays, 0.5),
            unit: 'ms',
            goal: null,
          },
          {
            name: 'behind it: accepted → with the provider, longest',
            value: percentile(delays, 1),
            unit: 'ms',
            goal: { atMost: 1000 },
          },
          { name: 'backlog left at the end', value: left, unit: 'count', goal: null },
        ];
      } finally {
        await client.end();
      }
    } finally {
      await stage.close();
    }
  },
};

async function sendNowAndThen(url: string, apiKey: string, sends: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < sends) {
    ids.push(await sendMessage(url, apiKey, `Message ${ids.length}`));
    await delay(BETWEEN_SENDS_MS);
  }
  return ids;
}

async function countLeft(client: pg.Client, workspaceId: string): Promise<number> {
  const { rows } = await client.query<{ left: number }>(
    `SELECT count(*)::int AS left FROM messages WHERE workspace_id = $1 AND dispatch = 'ready'`,
    [workspaceId],
  );
  return rows[0]?.left ?? 0;
}

const PATIENCE_MS = 60_000;

/** From the row's creation to the start of its provider call, by the database's clock. */
async function readDelays(client: pg.Client, ids: readonly string[]): Promise<number[]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await client.query<{ ms: number }>(
      `SELECT extract(epoch FROM (started_at - created_at))::float8 * 1000 AS ms
       FROM messages WHERE id = ANY($1::uuid[]) AND started_at IS NOT NULL`,
      [ids],
    );
    if (rows.length === ids.length) return rows.map((row) => row.ms);
    if (performance.now() > deadline) {
      throw new Error(`${ids.length - rows.length} messages were not sent within a minute.`);
    }
    await delay(250);
  }
}
