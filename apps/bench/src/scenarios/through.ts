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
  /** Processor time for a message, by who used it. */
  cpuMicros: Record<string, number>;
}

/** What is counted is the last thing that happens to a message: a client hears of its delivery. */
export const through: Scenario = {
  name: 'through',
  summary: 'accepted, sent, called back, stored and told of, with one API and one worker',

  async run(options: RunOptions): Promise<Figure[]> {
    const seconds = options.short ? 8 : 30;
    const stage = await openStage({ ...options, workspaces: 16 });
    try {
      const carrier = await stage.startCheapCarrier();
      const api = await stage.startApi();
      const worker = await stage.startWorker(api.url, { WORKER_CONCURRENCY: '256' });
      options.onProgress('provider at once');
      const fast = await loadService(stage, { api, worker, carrier }, seconds);
      await stage.writeStatistics('through');
      options.onProgress('provider takes 200 ms');
      await setLatency(carrier, 200);
      const slow = await loadService(stage, { api, worker, carrier }, seconds);
      await Promise.all([api.stop(), worker.stop()]);
      await carrier.stop();
      await stage.writeStatistics('through-200-ms');

      options.onProgress('the straightforward worker');
      const plain = await loadStraightforward(stage, seconds);
      await stage.writeStatistics('straightforward');
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
        ...cpuFigures('', fast),
        ...cpuFigures('straightforward: ', plain),
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

function cpuFigures(prefix: string, { cpuMicros }: Rate): Figure[] {
  return Object.entries(cpuMicros).map(([who, value]) => ({
    name: `${prefix}processor time for each, ${who}`,
    value,
    unit: 'µs',
    goal: null,
  }));
}

interface Apps {
  api: App;
  worker: App;
  carrier: App;
}

async function setLatency(carrier: App, latencyMs: number): Promise<void> {
  const answer = await request(`${carrier.url}/latency/${latencyMs}`, { method: 'PUT' });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`The carrier answered ${answer.statusCode}`);
}

async function loadService(stage: Stage, apps: Apps, seconds: number): Promise<Rate> {
  const counter = createCounter();
  const watchers = await Promise.all(
    stage.workspaces.map(({ apiKey }) =>
      watchFrames({
        apiUrl: apps.api.url,
        apiKey,
        onFrame(frame) {
          if (frame.includes('"status":"delivered"')) counter.count();
        },
      }),
    ),
  );
  try {
    const apiKeys = stage.workspaces.map((workspace) => workspace.apiKey);
    return await loadAndCount(stage, apps, apiKeys, seconds, counter);
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

async function loadStraightforward(stage: Stage, seconds: number): Promise<Rate> {
  const [workspace] = stage.workspaces;
  const carrier = await stage.startCheapCarrier();
  const env = {
    WORKSPACE_ID: workspace?.workspaceId ?? '',
    ACCOUNT_SID: workspace?.accountSid ?? '',
    AUTH_TOKEN: workspace?.authToken ?? '',
    TWILIO_API_URL: carrier.url,
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
    return await loadAndCount(stage, { api, worker, carrier }, ['none'], seconds, counter);
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
  stage: Stage,
  { api, worker, carrier }: Apps,
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
  const readCpu = () => ({
    API: readCpuSeconds(api.pid),
    worker: readCpuSeconds(worker.pid),
    PostgreSQL: readCpuSeconds(stage.postgresPid),
    Redis: readCpuSeconds(stage.redisPid),
    carrier: readCpuSeconds(carrier.pid),
  });
  const cpuBefore = readCpu();
  const [startedAt, doneBefore] = [performance.now(), counter.done];
  const result = await load({ seconds });
  const elapsed = (performance.now() - startedAt) / 1000;
  const messages = counter.done - doneBefore;
  const cpuAfter = readCpu();
  const who = Object.keys(cpuAfter) as (keyof typeof cpuAfter)[];
  return {
    perSecond: messages / elapsed,
    generatorBusy: result.busy,
    cpuMicros: Object.fromEntries(
      who.map((name) => [name, ((cpuAfter[name] - cpuBefore[name]) * 1_000_000) / messages]),
    ),
  };
}
