import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { ChildProcess } from '@switchboard/testing';
import { startLoad } from '../load/run-load.ts';
import { readCpuSeconds } from './cpu-seconds.ts';
import { readPeakResidentMb } from './memory.ts';
import type { BenchEnvironment } from './open-environment.ts';
import { watchFrames } from './watch-frames.ts';

/** The maximum number of unfinished messages, so that no backlog grows. */
const WINDOW = 2_000;
/** The same number as in the scenario `accept`. */
const CONNECTIONS = 64;
/** Not measured. In a process that has just started, V8 compiles hot functions for a few seconds. */
const WARM_UP_SECONDS = 10;
const DRAIN_MS = 30_000;

/** One API, one worker and the carrier, of the service or of the reference. */
export interface Apps {
  api: ChildProcess;
  worker: ChildProcess;
  carrier: ChildProcess;
}

export interface Rate {
  perSecond: number;
  generatorBusy: number;
  /** The CPU time for each message, by process. */
  cpuMicros: Record<string, number>;
  /** The highest resident memory of the process. */
  peakMb: { API: number; worker: number };
}

/** Sends messages through the service and counts the frames that contain `text`, one for each message. */
export async function loadService(
  environment: BenchEnvironment,
  apps: Apps,
  { seconds, text }: { seconds: number; text: string },
): Promise<Rate> {
  const counter = createCounter(text);
  const watchers = await Promise.all(
    environment.workspaces.map(({ apiKey }) =>
      watchFrames({ apiUrl: apps.api.url, apiKey, onFrame: counter.count }),
    ),
  );
  try {
    const apiKeys = environment.workspaces.map((workspace) => workspace.apiKey);
    return await loadAndCount(environment, apps, apiKeys, seconds, counter);
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

/** Starts the reference with the same carrier. */
export async function startStraightforward(
  environment: BenchEnvironment,
  carrier: ChildProcess,
): Promise<Apps> {
  const [workspace] = environment.workspaces;
  const env = {
    WORKSPACE_ID: workspace?.workspaceId ?? '',
    ACCOUNT_SID: workspace?.accountSid ?? '',
    AUTH_TOKEN: workspace?.authToken ?? '',
    TWILIO_API_URL: carrier.url,
  };
  const api = await environment.startReference('straightforward-api', env);
  const worker = await environment.startReference('straightforward-worker', {
    ...env,
    PUBLIC_URL: api.url,
  });
  return { api, worker, carrier };
}

/** Does the same as `loadService`, with the events that the reference publishes. */
export async function loadStraightforward(
  environment: BenchEnvironment,
  apps: Apps,
  { seconds, text }: { seconds: number; text: string },
): Promise<Rate> {
  const counter = createCounter(text);
  const subscriber = new Redis(environment.redisUrl);
  try {
    await subscriber.subscribe('straightforward');
    subscriber.on('message', (_channel: string, event: string) => counter.count(event));
    return await loadAndCount(environment, apps, ['none'], seconds, counter);
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
  environment: BenchEnvironment,
  { api, worker, carrier }: Apps,
  apiKeys: readonly string[],
  seconds: number,
  counter: { readonly done: number },
): Promise<Rate> {
  const common = { url: api.url, apiKeys, connections: CONNECTIONS, window: WINDOW };
  const readCpu = () => ({
    API: readCpuSeconds(api.pid),
    worker: readCpuSeconds(worker.pid),
    PostgreSQL: readCpuSeconds(environment.postgresPid),
    Redis: readCpuSeconds(environment.redisPid),
    carrier: readCpuSeconds(carrier.pid),
  });

  const doneAtFirst = counter.done;
  const load = startLoad({ ...common, warmUpSeconds: WARM_UP_SECONDS, seconds });
  const credits = setInterval(() => load.credit(counter.done - doneAtFirst), 20);
  try {
    await Promise.race([delay(WARM_UP_SECONDS * 1000), load.result]);
    const cpuBefore = readCpu();
    const [startedAt, doneBefore] = [performance.now(), counter.done];
    const { busy, acceptedInTotal } = await load.result;
    const elapsed = (performance.now() - startedAt) / 1000;
    const messages = counter.done - doneBefore;
    if (messages === 0) throw new Error('no message was finished');
    const cpuAfter = readCpu();
    // Waits for all messages, so that the next load starts with an empty window.
    const endsAt = performance.now() + DRAIN_MS;
    while (counter.done - doneAtFirst < acceptedInTotal) {
      if (performance.now() > endsAt) throw new Error('some messages were not finished');
      await delay(20);
    }
    const who = Object.keys(cpuAfter) as (keyof typeof cpuAfter)[];
    return {
      perSecond: messages / elapsed,
      generatorBusy: busy,
      cpuMicros: Object.fromEntries(
        who.map((name) => [name, ((cpuAfter[name] - cpuBefore[name]) * 1_000_000) / messages]),
      ),
      peakMb: { API: readPeakResidentMb(api.pid), worker: readPeakResidentMb(worker.pid) },
    };
  } finally {
    clearInterval(credits);
  }
}
