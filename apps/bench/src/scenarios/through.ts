import type { ChildProcess } from '@switchboard/testing';
import type { Figure, RunOptions, Scenario } from '../scenario.ts';
import { configureCarrier } from '../carrier/configure-carrier.ts';
import {
  type Apps,
  type Rate,
  loadService,
  loadStraightforward,
  startStraightforward,
} from '../environment/load-messages.ts';
import { type BenchEnvironment, openBenchEnvironment } from '../environment/open-environment.ts';

/** Only frames and events after the provider's acceptance have its identifier. */
const ACCEPTED = '"provider_sid":"SM';
const DELIVERED = '"status":"delivered"';

/** Counts messages whose acceptance by the provider reaches a client. The carrier sends no callbacks. */
export const through: Scenario = {
  name: 'through',
  summary:
    'from the request to the event of the provider’s acceptance, with one API and one worker',

  async run(options) {
    return runInEnvironment(options, async (environment, apps, seconds) => {
      await configureCarrier(apps.carrier, 'callbacks/off');
      options.onProgress('provider responds immediately');
      const counted = { seconds, text: ACCEPTED };
      const fast = await loadService(environment, apps, counted);
      await environment.writeStatistics('through');
      options.onProgress('provider takes 200 ms');
      await configureCarrier(apps.carrier, 'latency/200');
      const slow = await loadService(environment, apps, counted);
      await stop(apps);
      await environment.writeStatistics('through-200-ms');
      const carrier = await environment.startCheapCarrier();
      await configureCarrier(carrier, 'callbacks/off');
      const plain = await measureReference(options, environment, carrier, counted);
      return [
        { name: 'through', value: fast.perSecond, unit: 'per second', goal: { atLeast: 2_500 } },
        {
          name: 'through, provider takes 200 ms',
          value: slow.perSecond,
          unit: 'per second',
          goal: { atLeast: 1_000 },
        },
        ...compare('through', fast, plain),
      ];
    });
  },
};

/** Counts messages whose delivery reaches a client. */
export const delivery: Scenario = {
  name: 'delivery',
  summary: 'from the request to the event of the delivery, with two signed callbacks',

  async run(options) {
    return runInEnvironment(options, async (environment, apps, seconds) => {
      const counted = { seconds, text: DELIVERED };
      options.onProgress('provider responds immediately, two callbacks');
      const fast = await loadService(environment, apps, counted);
      await stop(apps);
      await environment.writeStatistics('delivery');
      const carrier = await environment.startCheapCarrier();
      const plain = await measureReference(options, environment, carrier, counted);
      const name = 'through, to the delivery';
      return [
        { name, value: fast.perSecond, unit: 'per second', goal: null },
        ...compare(name, fast, plain),
        ...memoryFigures(fast),
      ];
    });
  },
};

function memoryFigures({ peakMb }: Rate): Figure[] {
  return [
    { name: 'peak memory, API', value: peakMb.API, unit: 'MB', goal: null },
    { name: 'peak memory, worker', value: peakMb.worker, unit: 'MB', goal: null },
  ];
}

async function runInEnvironment(
  options: RunOptions,
  measure: (environment: BenchEnvironment, apps: Apps, seconds: number) => Promise<Figure[]>,
): Promise<Figure[]> {
  const environment = await openBenchEnvironment({ ...options, workspaces: 16 });
  try {
    const carrier = await environment.startCheapCarrier();
    const api = await environment.startApi();
    const worker = await environment.startWorker(api.url, { WORKER_CONCURRENCY: '256' });
    return await measure(environment, { api, worker, carrier }, options.short ? 8 : 30);
  } finally {
    await environment.close();
  }
}

/** Stops the processes, including the carrier, because its callback connections go to the stopped API. */
async function stop({ api, worker, carrier }: Apps): Promise<void> {
  await Promise.all([api.stop(), worker.stop()]);
  await carrier.stop();
}

async function measureReference(
  options: RunOptions,
  environment: BenchEnvironment,
  carrier: ChildProcess,
  counted: { seconds: number; text: string },
): Promise<Rate> {
  options.onProgress('the straightforward worker');
  const apps = await startStraightforward(environment, carrier);
  const rate = await loadStraightforward(environment, apps, counted);
  await environment.writeStatistics('straightforward');
  return rate;
}

function compare(name: string, ours: Rate, plain: Rate): Figure[] {
  return [
    { name: 'straightforward worker', value: plain.perSecond, unit: 'per second', goal: null },
    {
      name: `${name} / straightforward`,
      value: ours.perSecond / plain.perSecond,
      unit: 'times',
      goal: { atLeast: 3 },
    },
    ...cpuFigures('', ours),
    ...cpuFigures('straightforward: ', plain),
    { name: 'generator busy', value: ours.generatorBusy, unit: 'times', goal: { atMost: 0.8 } },
  ];
}

function cpuFigures(prefix: string, { cpuMicros }: Rate): Figure[] {
  return Object.entries(cpuMicros).map(([who, value]) => ({
    name: `${prefix}CPU time per message, ${who}`,
    value,
    unit: 'µs',
    goal: null,
  }));
}
