import { runLoad } from '../load/run-load.ts';
import type { Figure, RunOptions, Scenario } from '../scenario.ts';
import { openStage } from '../stage/open-stage.ts';

/** One request after another, with a pause between, while nothing else is asked of the service. */
export const idle: Scenario = {
  name: 'idle',
  summary: 'latency of a single POST /api/messages, with the worker at work behind it',

  async run(options) {
    return [
      ...(await measure(options, 'accept', {})),
      ...(await measure(options, 'accept, without Redis', { REDIS_URL: undefined })),
    ];
  },
};

async function measure(
  options: RunOptions,
  name: string,
  env: Record<string, undefined>,
): Promise<Figure[]> {
  options.onProgress(name);
  const stage = await openStage({ ...options, workspaces: 1 });
  try {
    await stage.startSimulator();
    const api = await stage.startApi(env);
    await stage.startWorker(api.url, env);
    const { latencyMs } = await runLoad({
      url: api.url,
      apiKeys: stage.workspaces.map((workspace) => workspace.apiKey),
      connections: 1,
      pauseMs: 20,
      seconds: options.short ? 8 : 30,
      // What runs often is compiled by then.
      warmUpSeconds: 4,
    });
    return [
      { name: `${name}, p50`, value: latencyMs.p50, unit: 'ms', goal: { atMost: 3 } },
      { name: `${name}, p99`, value: latencyMs.p99, unit: 'ms', goal: { atMost: 10 } },
    ];
  } finally {
    await stage.close();
  }
}
