import { Redis } from 'ioredis';
import { request } from 'undici';
import type { LoadResult } from '../load/load-plan.ts';
import { startLoad } from '../load/run-load.ts';
import type { Figure, RunOptions, Scenario } from '../scenario.ts';
import { readCpuSeconds } from '../stage/cpu-seconds.ts';
import { type Stage, openStage } from '../stage/open-stage.ts';
import type { App } from '../stage/start-app.ts';
import { watchFrames } from '../stage/watch-frames.ts';

/** Accepted and not delivered yet, at most: enough to keep the worker busy, no growing backlog. */
const WINDOW = 2_000;
const CONNECTIONS = 32;
const WARM_UP_MESSAGES = 1_000;
const WARM_UP_SECONDS = 15;

interface Rate {
  perSecond: number;
  generatorBusy: number;
  /** Processor time that each process took for a message. */
  cpuMicros: number[];
}

/** What is counted is the last thing that happens to a message: a client hears of its delivery. */
export const through: Scenario = {
  name: 'through',
  summary: 'accepted, sent, called back, stored and told of, with one API and one worker',

  async run(options: RunOptions): Promise<Figure[]> {
    const seconds = options.short ? 8 : 30;
    const stage = await openStage({ ...options, workspaces: 16 });
    try {
      const simulator = await stage.startSimulator();
      const api = await stage.startApi();
      const worker = await stage.startWorker(api.url, { WORKER_CONCURRENCY: '256' });
      options.onProgress('simulator latency 0');
      const fast = await loadService(stage, [api, worker], seconds);
      options.onProgress('simulator latency 200 ms');
      await setLatency(simulator, 200);
      const slow = await loadService(stage, [api, worker], seconds);
      await setLatency(simulator, 0);
      await Promise.all([api.stop(), worker.stop()]);

      options.onProgress('the straightforward worker');
      const plain = await loadStraightforward(stage, simulator, seconds);
      return [
        { name: 'through', value: fast.perSecond, unit: 'per second', goal: { atLeast: 2_500 } },
        {
          name: 'through, provider takes 200 ms',
          value: slow.perSecond,
          unit: 'per second',
          goal: { atLeast: 1_000 },
        },
        {
          name: 'straightforward worker',
          value: plain.perSecond,
          unit: 'per second',
          goal: null,
        },
        {
          name: 'through / straightforward',
          value: fast.perSecond / plain.perSecond,
          unit: 'times',
          goal: { atLeast: 3 },
        },
        {
          name: 'processor time of the API for each',
          value: fast.cpuMicros[0] ?? 0,
          unit: 'µs',
          goal: null,
        },
        {
          name: 'processor time of the worker for each',
          value: fast.cpuMicros[1] ?? 0,
          unit: 'µs',
          goal: null,
        },
        {
          name: 'generator busy',
          value: fast.generatorBusy,
          unit: 'times',
          goal: { atMost: 0.8 },
        },
      ];
    } finally {
      await stage.close();
    }
  },
};

async function setLatency(simulator: App, latencyMs: number): Promise<void> {
  const answer = await request(`${simulator.url}/simulator/behaviour`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ latency_ms: latencyMs }),
  });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`The simulator answered ${answer.statusCode}`);
}

async function loadService(
  stage: Stage,
  [api, worker]: [App, App],
  seconds: number,
): Promise<Rate> {
  const counter = createCounter();
  const watchers = await Promise.all(
    stage.workspaces.map(({ apiKey }) =>
      watchFrames({
        apiUrl: api.url,
        apiKey,
        onFrame(frame) {
          if (frame.includes('"status":"delivered"')) counter.count();
        },
      }),
    ),
  );
  try {
    const apiKeys = stage.workspaces.map((workspace) => workspace.apiKey);
    return await loadAndCount([api, worker], apiKeys, seconds, counter);
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

async function loadStraightforward(stage: Stage, simulator: App, seconds: number): Promise<Rate> {
  const [workspace] = stage.workspaces;
  const env = {
    WORKSPACE_ID: workspace?.workspaceId ?? '',
    ACCOUNT_SID: workspace?.accountSid ?? '',
    AUTH_TOKEN: workspace?.authToken ?? '',
    TWILIO_API_URL: simulator.url,
  };
  const api = await stage.startReference('straightforward-api', env);
  const worker = await stage.startReference('straightforward-worker', {
    ...env,
    PUBLIC_URL: api.url,
  });
  const counter = createCounter();
  const subscriber = new Redis(stage.redisUrl);
  try {
    await subscriber.subscribe('straightforward');
    subscriber.on('message', (_channel: string, text: string) => {
      if (text.includes('delivered')) counter.count();
    });
    return await loadAndCount([api, worker], ['none'], seconds, counter);
  } finally {
    subscriber.disconnect();
  }
}

function createCounter() {
  let done = 0;
  return {
    count() {
      done += 1;
    },
    get done() {
      return done;
    },
  };
}

async function loadAndCount(
  [api, worker]: [App, App],
  apiKeys: readonly string[],
  seconds: number,
  counter: { readonly done: number },
): Promise<Rate> {
  const common = { url: api.url, apiKeys, connections: CONNECTIONS, window: WINDOW };
  async function load(plan: { seconds: number; requests?: number }): Promise<LoadResult> {
    const doneBefore = counter.done;
    const started = startLoad({ ...common, warmUpSeconds: 0, ...plan });
    const credits = setInterval(() => started.credit(counter.done - doneBefore), 20);
    try {
      return await started.result;
    } finally {
      clearInterval(credits);
    }
  }

  // What runs often is compiled by then, and every connection is open.
  await load({ requests: WARM_UP_MESSAGES, seconds: WARM_UP_SECONDS });
  const readCpu = () => [api, worker].map(({ pid }) => readCpuSeconds(pid));
  const cpuBefore = readCpu();
  const [startedAt, doneBefore] = [performance.now(), counter.done];
  const result = await load({ seconds });
  const elapsed = (performance.now() - startedAt) / 1000;
  const messages = counter.done - doneBefore;
  return {
    perSecond: messages / elapsed,
    generatorBusy: result.busy,
    cpuMicros: readCpu().map(
      (cpuSeconds, index) => ((cpuSeconds - (cpuBefore[index] ?? 0)) * 1_000_000) / messages,
    ),
  };
}
