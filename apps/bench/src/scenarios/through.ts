import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { request } from 'undici';
import { startLoad } from '../load/run-load.ts';
import type { Figure, RunOptions, Scenario } from '../scenario.ts';
import { readCpuSeconds } from '../stage/cpu-seconds.ts';
import { type Stage, openStage } from '../stage/open-stage.ts';
import type { App } from '../stage/start-app.ts';
import { watchFrames } from '../stage/watch-frames.ts';

/** Accepted and not delivered yet, at most: enough to keep the worker busy, no growing backlog. */
const WINDOW = 2_000;
const CONNECTIONS = 32;

interface Rate {
  perSecond: number;
  generatorBusy: number;
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
      const cpuBefore = [readCpuSeconds(api.pid), readCpuSeconds(worker.pid)];
      const before = performance.now();
      const fast = await loadService(stage, api, seconds);
      const messages = (fast.perSecond * (performance.now() - before)) / 1000;
      const perMessage = (app: App, index: number) =>
        ((readCpuSeconds(app.pid) - (cpuBefore[index] ?? 0)) * 1_000_000) / messages;
      const cpu = [perMessage(api, 0), perMessage(worker, 1)];
      options.onProgress('simulator latency 200 ms');
      await setLatency(simulator, 200);
      const slow = await loadService(stage, api, seconds);
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
        { name: 'processor time of the API for each', value: cpu[0] ?? 0, unit: 'µs', goal: null },
        {
          name: 'processor time of the worker for each',
          value: cpu[1] ?? 0,
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

async function loadService(stage: Stage, api: App, seconds: number): Promise<Rate> {
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
    return await loadAndCount(api.url, apiKeys, seconds, counter);
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
  await stage.startReference('straightforward-worker', { ...env, PUBLIC_URL: api.url });
  const counter = createCounter();
  const subscriber = new Redis(stage.redisUrl);
  try {
    await subscriber.subscribe('straightforward');
    subscriber.on('message', (_channel: string, text: string) => {
      if (text.includes('delivered')) counter.count();
    });
    return await loadAndCount(api.url, ['none'], seconds, counter);
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
  url: string,
  apiKeys: readonly string[],
  seconds: number,
  counter: { readonly done: number },
): Promise<Rate> {
  const warmUpSeconds = 3;
  const load = startLoad({
    url,
    apiKeys,
    connections: CONNECTIONS,
    seconds,
    warmUpSeconds,
    window: WINDOW,
  });
  const credits = setInterval(() => load.credit(counter.done), 20);
  try {
    await delay(warmUpSeconds * 1000);
    const [startedAt, doneBefore] = [performance.now(), counter.done];
    const result = await load.result;
    const elapsed = (performance.now() - startedAt) / 1000;
    return { perSecond: (counter.done - doneBefore) / elapsed, generatorBusy: result.busy };
  } finally {
    clearInterval(credits);
  }
}
