import { setTimeout as delay } from 'node:timers/promises';
import { queueBacklog } from '../environment/backlog.ts';
import { readDelays, sendPeriodically } from '../environment/read-delays.ts';
import type { Scenario } from '../scenario.ts';

/** The time until a worker that has just started works at full speed. */
const WARM_UP_MS = 3_000;
const PAUSE_MS = 250;
const SCHEDULED_IN_MS = 3_000;

/** Measures the delay of single messages of one workspace while another workspace has a backlog. */
export const fairness: Scenario = {
  name: 'fairness',
  summary:
    'single messages while another workspace has 100,000 (short: 40,000) queued; scheduled ones while it has 300,000 (short: 100,000) and refused credentials',
  async run({ short, open, progress, report, latencies }) {
    const [backlog, count, refused] = short ? [40_000, 24, 100_000] : [100_000, 60, 300_000];
    const environment = await open({ workspaces: 2 });
    await environment.startSimulator();
    const { url } = await environment.startApi();
    const [busy, quiet] = environment.workspaces;
    if (busy === undefined || quiet === undefined) throw new Error('there is no workspace');
    const { workspaceId } = busy;
    const send = (plan = {}) =>
      sendPeriodically(environment, url, quiet.apiKey, { count, pauseMs: PAUSE_MS, ...plan });
    async function startWorker() {
      const worker = await environment.startWorker(url, { WORKER_CONCURRENCY: '50' });
      await delay(WARM_UP_MS);
      return worker;
    }

    const first = await startWorker();
    const alone = await send();
    await first.stop();
    progress(`queueing ${backlog} messages`);
    await queueBacklog({ ...environment, workspace: busy, count: backlog });
    const second = await startWorker();
    const behind = await send();
    const [row] = await environment.query<{ left: number }>(
      `SELECT count(*)::int AS left FROM messages WHERE workspace_id = $1 AND dispatch = 'ready'`,
      [workspaceId],
    );
    const left = row?.left ?? 0;
    if (left === 0) throw new Error('The backlog ended before the last message was sent.');
    latencies(
      'without a backlog: accepted → with the provider',
      await readDelays(environment, alone.ids),
      [0.5],
    );
    latencies(
      'with a backlog: accepted → with the provider',
      await readDelays(environment, behind.ids),
      [0.5, 1],
    );
    await second.stop();

    progress(`queueing up to ${refused} messages, with credentials that are refused`);
    await queueBacklog({ ...environment, workspace: busy, count: refused - left });
    // The next probe is due after the end of the run.
    await environment.query(
      `UPDATE provider_accounts SET refused_since = now(), probe_at = now() + interval '1 hour'
       WHERE workspace_id = $1`,
      [workspaceId],
    );
    await startWorker();
    const scheduled = await send({ scheduledInMs: SCHEDULED_IN_MS });
    const lateness = await readDelays(environment, scheduled.ids, 'scheduled_at');
    const what = `with ${refused} queued and refused credentials: scheduled → with the provider`;
    latencies(what, lateness, [0.5, 1]);
    report('backlog left at the end', 'count', left);
  },
};
