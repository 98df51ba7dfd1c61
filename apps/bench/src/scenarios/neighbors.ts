import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '@switchboard/testing/percentile';
import pg from 'pg';
import { sendMessage } from '../environment/api-client.ts';
import { openBenchEnvironment } from '../environment/open-environment.ts';
import { readDelays } from '../environment/read-delays.ts';
import { NEIGHBORS } from '../neighbors/loads.ts';
import { type Neighbor, firstOf } from '../neighbors/neighbor.ts';
import { type Figure, type RunOptions, type Scenario, latency } from '../scenario.ts';

const BETWEEN_SENDS_MS = 50;
const WARM_UP_SENDS = 40;
/** The goal: what another user does makes a send at most twice as slow. */
const MOST_TIMES = 2;

/** Measures the sends of one user while another causes each of the largest loads, one at a time. */
export const neighbors: Scenario = {
  name: 'neighbours',
  summary:
    "another workspace's sends (p95, quiet and loaded) next to contact exports, a flooding SMSC, 1,050 hanging webhook endpoints, 300,000 scheduled, 100,000 bulk messages and 5,000 sockets, each alone (short: 300 endpoints, 30,000, 20,000 and 1,000)",

  async run(options: RunOptions) {
    const figures: Figure[] = [];
    for (const neighbor of NEIGHBORS) figures.push(...(await measureNext(neighbor, options)));
    return figures;
  },
};

interface Sends {
  /** From the request to the response, in milliseconds. */
  accepting: number[];
  /** From the row to the start of the provider call, in milliseconds. */
  delivering: number[];
}

async function measureNext(neighbor: Neighbor, options: RunOptions): Promise<Figure[]> {
  const { name } = neighbor;
  const sends = options.short ? 60 : 300;
  const workspaces = 1 + neighbor.workspaces;
  const environment = await openBenchEnvironment({ ...options, workspaces });
  const client = new pg.Client({ connectionString: environment.databaseUrl });
  try {
    await client.connect();
    await environment.startCheapCarrier();
    const env = { WEBHOOK_ALLOW_LOOPBACK: 'true', PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8' };
    const api = await environment.startApi(env);
    await environment.startWorker(api.url, env);
    const [quiet, ...busy] = environment.workspaces;
    if (quiet === undefined) throw new Error('there is no workspace');
    await giveToOneOwner(
      client,
      firstOf(busy).workspaceId,
      busy.map((each) => each.workspaceId),
    );

    options.onProgress(`${name}: quiet`);
    await measureSends(client, api.url, quiet.apiKey, WARM_UP_SENDS);
    const before = await measureSends(client, api.url, quiet.apiKey, sends);
    options.onProgress(`${name}: starting the load`);
    const stop = await neighbor.start({
      environment,
      apiUrl: api.url,
      busy,
      isShort: options.short,
    });
    options.onProgress(`${name}: loaded`);
    const loaded = await measureSends(client, api.url, quiet.apiKey, sends);
    await stop();
    return [
      ...compare(`${name}: accepting`, before.accepting, loaded.accepting),
      ...compare(`${name}: accepted → with the provider`, before.delivering, loaded.delivering),
    ];
  } finally {
    await client.end();
    await environment.close();
  }
}

async function measureSends(
  client: pg.Client,
  url: string,
  apiKey: string,
  count: number,
): Promise<Sends> {
  const ids: string[] = [];
  const accepting: number[] = [];
  while (ids.length < count) {
    const startedAt = performance.now();
    ids.push(await sendMessage(url, apiKey, `Message ${ids.length}`));
    accepting.push(performance.now() - startedAt);
    await delay(BETWEEN_SENDS_MS);
  }
  return { accepting, delivering: await readDelays(client, ids) };
}

function compare(name: string, quiet: number[], loaded: number[]): Figure[] {
  const [before, after] = [percentile(quiet, 0.95), percentile(loaded, 0.95)];
  return [
    latency(`${name}, quiet p95`, before),
    latency(`${name}, loaded p95`, after),
    {
      name: `${name}, loaded / quiet`,
      value: after / before,
      unit: 'times',
      goal: { atMost: MOST_TIMES },
    },
  ];
}

/** Limits of a user count all of the workspaces that the user owns. */
async function giveToOneOwner(
  client: pg.Client,
  first: string,
  workspaceIds: readonly string[],
): Promise<void> {
  await client.query(
    `UPDATE members SET user_id = (SELECT user_id FROM members WHERE workspace_id = $1)
     WHERE workspace_id = ANY($2::uuid[]) AND workspace_id <> $1`,
    [first, workspaceIds],
  );
}
