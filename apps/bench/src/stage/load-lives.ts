import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { ChildProcess } from '@switchboard/testing';
import { startLoad } from '../load/run-load.ts';
import { readCpuSeconds } from './cpu-seconds.ts';
import type { Stage } from './open-stage.ts';
import { watchFrames } from './watch-frames.ts';

/** Accepted and not yet at the end that is counted, at most: no growing backlog. */
const WINDOW = 2_000;
/** As `accept` has. */
const CONNECTIONS = 64;
/** Not counted: V8 compiles what runs often in a process that has just started, for some seconds. */
const WARM_UP_SECONDS = 10;
const DRAIN_MS = 30_000;

/** One API, one worker and the carrier, of ours or of the reference. */
export interface Apps {
  api: ChildProcess;
  worker: ChildProcess;
  carrier: ChildProcess;
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
export async function startStraightforward(stage: Stage, carrier: ChildProcess): Promise<Apps> {
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
  const readCpu = () => ({
    API: readCpuSeconds(api.pid),
    worker: readCpuSeconds(worker.pid),
    PostgreSQL: readCpuSeconds(stage.postgresPid),
    Redis: readCpuSeconds(stage.redisPid),
    carrier: readCpuSeconds(carrier.pid),
  });

  const doneAtFirst = counter.done;
  const load = startLoad({ ...common, warmUpSeconds: WARM_UP_SECONDS, seconds });
  const credits = setInterval(() => load.credit(counter.done - doneAtFirst), 20);
  try {
    await Promise.race([delay(WARM_UP_SECONDS * 1000), load.result]);
    const cpuBefore = readCpu();
    const [startedAt, doneBefore] = [performance.now(), counter.done];
    const { busy, acceptedInAll } = await load.result;
    const elapsed = (performance.now() - startedAt) / 1000;
    const messages = counter.done - doneBefore;
    if (messages === 0) throw new Error('not one message came to its end');
    const cpuAfter = readCpu();
    // The next load's window holds nothing of this one.
    const endsAt = performance.now() + DRAIN_MS;
    while (counter.done - doneAtFirst < acceptedInAll) {
      if (performance.now() > endsAt) throw new Error('not every message came to its end');
      await delay(20);
    }
    const who = Object.keys(cpuAfter) as (keyof typeof cpuAfter)[];
    return {
      perSecond: messages / elapsed,
      generatorBusy: busy,
      cpuMicros: Object.fromEntries(
        who.map((name) => [name, ((cpuAfter[name] - cpuBefore[name]) * 1_000_000) / messages]),
      ),
    };
  } finally {
    clearInterval(credits);
  }
}
