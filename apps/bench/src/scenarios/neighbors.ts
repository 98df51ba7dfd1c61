import { percentile } from '@switchboard/testing/percentile';
import { readDelays, sendPeriodically } from '../environment/read-delays.ts';
import { type Neighbor, NEIGHBORS } from '../neighbors/loads.ts';
import type { Run, Scenario } from '../scenario.ts';

const PAUSE_MS = 50;
const WARM_UP_SENDS = 40;
const SETTINGS = { WEBHOOK_ALLOW_LOOPBACK: 'true', PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8' };

/** Measures the sends of one user while another causes each of the largest loads, one at a time. */
export const neighbors: Scenario = {
  name: 'neighbours',
  summary:
    "another workspace's sends (p95, quiet and loaded) next to contact exports, a flooding SMSC, 1,050 hanging webhook endpoints, 300,000 scheduled, 100,000 bulk messages and 5,000 sockets, each alone (short: 300 endpoints, 30,000, 20,000 and 1,000)",
  async run(run) {
    for (const neighbor of NEIGHBORS) await measureNext(neighbor, run);
  },
};

async function measureNext(neighbor: Neighbor, { short, open, progress, report }: Run) {
  const { name } = neighbor;
  const environment = await open({ workspaces: 1 + neighbor.workspaces });
  await environment.startCarrier();
  const { url } = await environment.startApi(SETTINGS);
  await environment.startWorker(url, SETTINGS);
  const [quiet, busy, ...others] = environment.workspaces;
  if (quiet === undefined || busy === undefined) throw new Error('there is no workspace');
  // Limits of a user count all of the workspaces that the user owns.
  await environment.query(
    `UPDATE members SET user_id = (SELECT user_id FROM members WHERE workspace_id = $1)
     WHERE workspace_id = ANY($2::uuid[])`,
    [busy.workspaceId, others.map((each) => each.workspaceId)],
  );
  async function measureSends(count = short ? 60 : 300) {
    const plan = { count, pauseMs: PAUSE_MS };
    const sent = await sendPeriodically(environment, url, quiet?.apiKey ?? '', plan);
    const delays = await readDelays(environment, sent.ids);
    return { accepting: sent.acceptedInMs, 'accepted → with the provider': delays };
  }

  progress(`${name}: quiet`);
  await measureSends(WARM_UP_SENDS);
  const before = await measureSends();
  progress(`${name}: starting the load`);
  const stop = await neighbor.start({ environment, url, busy, others, short });
  progress(`${name}: loaded`);
  const loaded = await measureSends();
  await stop();
  for (const what of ['accepting', 'accepted → with the provider'] as const) {
    const [was, is] = [percentile(before[what], 0.95), percentile(loaded[what], 0.95)];
    report(`${name}: ${what}, quiet p95`, 'ms', was);
    report(`${name}: ${what}, loaded p95`, 'ms', is);
    report(`${name}: ${what}, loaded / quiet`, 'times', is / was);
  }
  await environment.close();
}
