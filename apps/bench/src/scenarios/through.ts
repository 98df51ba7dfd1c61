import { setTimeout as delay } from 'node:timers/promises';
import { Redis as RedisClient } from 'ioredis';
import { readMemoryMb, startCpuMeter } from '../environment/machine.ts';
import type { BenchEnvironment } from '../environment/open-environment.ts';
import { withoutTriggers } from '../environment/pgbench.ts';
import { startLoad } from '../environment/run-load.ts';
import type { LoadResult } from '../programs/load.ts';
import { openEventSocket } from '../programs/open-event-socket.ts';
import type { Run, Scenario } from '../scenario.ts';

/** The maximum number of unfinished messages, so that no backlog grows. */
const WINDOW = 2_000;
/** Not measured. In a process that has just started, V8 compiles hot functions for a few seconds. */
const WARM_UP_SECONDS = 10;
const DRAIN_MS = 30_000;

interface Measurement {
  name: string;
  summary: string;
  /** What an event of a finished message contains. */
  text: string;
  callsBack: boolean;
  /** Whether it also measures a provider that takes 200 ms. */
  hasSlowProvider: boolean;
}

export const through = createScenario({
  name: 'through',
  summary:
    'from the request to the event of the provider’s acceptance, with one API and one worker',
  // Only frames and events after the provider's acceptance have its identifier.
  text: '"provider_sid":"SM',
  callsBack: false,
  hasSlowProvider: true,
});

export const delivery = createScenario({
  name: 'delivery',
  summary: 'from the request to the event of the delivery, with two signed callbacks',
  text: '"status":"delivered"',
  callsBack: true,
  hasSlowProvider: false,
});

/** Counts messages whose event reaches a client, through the service and then the straightforward one. */
function createScenario({ name, summary, text, ...measured }: Measurement): Scenario {
  return {
    name,
    summary,
    async run({ short, open, progress, report }) {
      const seconds = short ? 8 : 30;
      const { callsBack, hasSlowProvider } = measured;
      const environment = await open({ workspaces: 16 });
      const carrier = await environment.startCarrier({ callsBack });
      const api = await environment.startApi();
      const worker = await environment.startWorker(api.url, { WORKER_CONCURRENCY: '256' });
      const apps = {
        url: api.url,
        pids: { API: api.pid, worker: worker.pid, carrier: carrier.pid },
      };
      progress('provider responds immediately');
      const ours = await loadService(environment, apps, { seconds, text });
      await environment.writeStatistics(name);
      const memory = [readMemoryMb(api.pid, 'VmHWM'), readMemoryMb(worker.pid, 'VmHWM')] as const;
      report(name, 'per second', ours.perSecond);
      if (hasSlowProvider) {
        progress('provider takes 200 ms');
        await carrier.configure({ latencyMs: 200 });
        const slow = await loadService(environment, apps, { seconds, text });
        report(`${name}, provider takes 200 ms`, 'per second', slow.perSecond);
        await environment.writeStatistics(`${name}-200-ms`);
      }
      await Promise.all([api.stop(), worker.stop()]);
      // Its callback connections lead to the stopped API.
      await carrier.stop();
      progress('the straightforward worker');
      const plain = await loadStraightforward(environment, callsBack, { seconds, text });
      await environment.writeStatistics('straightforward');
      report('straightforward worker', 'per second', plain.perSecond);
      report(`${name} / straightforward`, 'times', ours.perSecond / plain.perSecond);
      reportCpu(report, '', ours);
      reportCpu(report, 'straightforward: ', plain);
      report('generator busy', 'times', ours.generatorBusy);
      report('peak memory, API', 'MB', memory[0]);
      report('peak memory, worker', 'MB', memory[1]);
    },
  };
}

function reportCpu(report: Run['report'], prefix: string, { cpu }: Rate): void {
  for (const { name, micros } of cpu)
    report(`${prefix}CPU time per message, ${name}`, 'µs', micros);
}

interface Rate {
  perSecond: number;
  generatorBusy: number;
  /** The CPU time for each message, by process. */
  cpu: { name: string; micros: number }[];
}

/** The API of the service or of the reference, and the processes whose CPU time is measured. */
interface Apps {
  url: string;
  pids: Record<string, number>;
}

interface Counted {
  seconds: number;
  text: string;
}

/** Counts the frames that contain `text`, one for each message. */
async function loadService(
  environment: BenchEnvironment,
  apps: Apps,
  { seconds, text }: Counted,
): Promise<Rate> {
  const counter = createCounter(text);
  const apiKeys = environment.workspaces.map((workspace) => workspace.apiKey);
  const sockets = await Promise.all(
    apiKeys.map((apiKey) => openEventSocket(apps.url, apiKey, counter.count)),
  );
  try {
    return await loadAndCount(environment, apps, apiKeys, seconds, counter);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Starts the reference and counts the events that it publishes. */
async function loadStraightforward(
  environment: BenchEnvironment,
  callsBack: boolean,
  { seconds, text }: Counted,
): Promise<Rate> {
  const { redisUrl, workspace } = environment;
  const carrier = await environment.startCarrier({ callsBack });
  const databaseUrl = withoutTriggers(environment.databaseUrl);
  const plan = { ...workspace, databaseUrl, redisUrl, providerUrl: carrier.url };
  const api = environment.startProgram('straightforward-api', plan);
  const url = await api.receive<string>();
  const worker = environment.startProgram('straightforward-worker', { ...plan, apiUrl: url });
  await worker.receive();
  const counter = createCounter(text);
  const subscriber = new RedisClient(redisUrl);
  try {
    await subscriber.subscribe('straightforward');
    subscriber.on('message', (_channel: string, event: string) => counter.count(event));
    const pids = { API: api.pid, worker: worker.pid, carrier: carrier.pid };
    return await loadAndCount(environment, { url, pids }, ['none'], seconds, counter);
  } finally {
    subscriber.disconnect();
  }
}

function createCounter(text: string) {
  const counter = {
    done: 0,
    count(event: string) {
      if (event.includes(text)) counter.done += 1;
    },
  };
  return counter;
}

async function loadAndCount(
  environment: BenchEnvironment,
  { url, pids }: Apps,
  apiKeys: readonly string[],
  seconds: number,
  counter: { readonly done: number },
): Promise<Rate> {
  const { postgresPid: PostgreSQL, redisPid: Redis } = environment;
  const plan = { url, apiKeys, window: WINDOW, warmUpSeconds: WARM_UP_SECONDS, seconds };
  const load = startLoad(environment, plan);
  const result = load.receive<LoadResult>();
  const credits = setInterval(() => load.send({ done: counter.done }), 20);
  try {
    await Promise.race([delay(WARM_UP_SECONDS * 1_000), result]);
    const readCpu = startCpuMeter({ ...pids, PostgreSQL, Redis });
    const [startedAt, doneBefore] = [performance.now(), counter.done];
    const { busy, acceptedInTotal } = await result;
    const messages = counter.done - doneBefore;
    const perSecond = (messages * 1_000) / (performance.now() - startedAt);
    if (messages === 0) throw new Error('no message was finished');
    const cpu = readCpu(messages);
    // Waits for all messages, so that the next load starts with an empty window.
    const endsAt = performance.now() + DRAIN_MS;
    while (counter.done < acceptedInTotal) {
      if (performance.now() > endsAt) throw new Error('some messages were not finished');
      await delay(20);
    }
    return { perSecond, generatorBusy: busy, cpu };
  } finally {
    clearInterval(credits);
    await load.stop();
  }
}
