import { Redis } from 'ioredis';
import type { LoadResult } from '../load/load-plan.ts';
import { startLoad } from '../load/run-load.ts';
import { readCpuSeconds } from './cpu-seconds.ts';
import type { Stage } from './open-stage.ts';
import type { App } from './start-app.ts';
import { watchFrames } from './watch-frames.ts';

/** Accepted and not yet at the end that is counted, at most: no growing backlog. */
const WINDOW = 2_000;
const CONNECTIONS = 32;
/** Not counted: V8 compiles what runs often in a process that has just started, for some seconds. */
const WARM_UP_SECONDS = 10;

/** One API, one worker and the carrier, of ours or of the reference. */
export interface Apps {
  api: App;
  worker: App;
  carrier: App;
}

export interface Rate {
  perSecond: number;
  generatorBusy: number;
  /** Processor time for a message, by who used it. */
  cpuMicros: Record<string, number>;
}

/** Lives of messages in our service, up to the frame that holds `text`, one for each message. */
export async function loadService(
  stage: Stage,
  apps: Apps,
  { seconds, text }: { seconds: number; text: string },
): Promise<Rate> {
  const counter = createCounter(text);
  const watchers = await Promise.all(
    stage.workspaces.map(({ apiKey }) =>
      watchFrames({ apiUrl: apps.api.url, apiKey, onFrame: counter.count }),
    ),
  );
  try {
    const apiKeys = stage.workspaces.map((workspace) => workspace.apiKey);
    return await loadAndCount(stage, apps, apiKeys, seconds, counter);
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

/** The reference, with the same carrier. */
export async function startStraightforward(stage: Stage, carrier: App): Promise<Apps> {
  const [workspace] = stage.workspaces;
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
  return { api, worker, carrier };
}

/** As `loadService`, by the event that the reference publishes. */
export async function loadStraightforward(
  stage: Stage,
  apps: Apps,
  { seconds, text }: { seconds: number; text: string },
): Promise<Rate> {
  const counter = createCounter(text);
  const subscriber = new Redis(stage.redisUrl);
  try {
    await subscriber.subscribe('straightforward');
    subscriber.on('message', (_channel: string, event: string) => counter.count(event));
    return await loadAndCount(stage, apps, ['none'], seconds, counter);
  } finally {
    subscriber.disconnect();
  }
}

function createCounter(text: string) {
  let done = 0;
  return {
    count(event: string) {
      if (event.includes(text)) done += 1;
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
  async function load(forSeconds: number): Promise<LoadResult> {
    const doneBefore = counter.done;
    const started = startLoad({ ...common, warmUpSeconds: 0, seconds: forSeconds });
    const credits = setInterval(() => started.credit(counter.done - doneBefore), 20);
    try {
      return await started.result;
    } finally {
      clearInterval(credits);
    }
  }

  await load(WARM_UP_SECONDS);
  const readCpu = () => ({
    API: readCpuSeconds(api.pid),
    worker: readCpuSeconds(worker.pid),
    PostgreSQL: readCpuSeconds(stage.postgresPid),
    Redis: readCpuSeconds(stage.redisPid),
    carrier: readCpuSeconds(carrier.pid),
  });
  const cpuBefore = readCpu();
  const [startedAt, doneBefore] = [performance.now(), counter.done];
  const result = await load(seconds);
  const elapsed = (performance.now() - startedAt) / 1000;
  const messages = counter.done - doneBefore;
  if (messages === 0) throw new Error('not one message came to its end');
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
