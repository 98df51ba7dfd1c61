import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { runLoad } from '../load/run-load.ts';
import { type Figure, type RunOptions, type Scenario, latency } from '../scenario.ts';
import { openBenchEnvironment } from '../environment/open-environment.ts';

/** Measures one request after another, with pauses, while the service has no other load. */
export const idle: Scenario = {
  name: 'idle',
  summary: 'latency of a single POST /api/messages while a worker sends the messages',

  async run(options) {
    return [
      ...(await measure(options, 'accept', {})),
      ...(await measure(options, 'accept, without Redis', { REDIS_URL: undefined })),
    ];
  },
};

const WARM_UP_MESSAGES = 3_000;

/** Waits until every message is finished. */
async function waitUntilFinished(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const open = 'SELECT count(*)::int AS n FROM messages WHERE due_at IS NOT NULL';
    while ((await client.query<{ n: number }>(open)).rows[0]?.n !== 0) await delay(200);
  } finally {
    await client.end();
  }
}

async function measure(
  options: RunOptions,
  name: string,
  env: Record<string, undefined>,
): Promise<Figure[]> {
  options.onProgress(name);
  const environment = await openBenchEnvironment({ ...options, workspaces: 1 });
  try {
    await environment.startSimulator();
    const api = await environment.startApi(env);
    await environment.startWorker(api.url, env);
    const load = {
      url: api.url,
      apiKeys: environment.workspaces.map((workspace) => workspace.apiKey),
      warmUpSeconds: 0,
    };
    // As in an idle service that has run for a while: V8 has compiled the hot functions.
    await runLoad({ ...load, connections: 4, seconds: 30, requests: WARM_UP_MESSAGES });
    await waitUntilFinished(environment.databaseUrl);
    const { latencyMs } = await runLoad({
      ...load,
      connections: 1,
      pauseMs: 20,
      seconds: options.short ? 8 : 30,
    });
    return [latency(`${name}, p50`, latencyMs.p50, 3), latency(`${name}, p99`, latencyMs.p99, 10)];
  } finally {
    await environment.close();
  }
}
