import { request } from 'undici';
import type { ChildProcess } from '@switchboard/testing';
import type { Figure, RunOptions, Scenario } from '../scenario.ts';
import {
  type Apps,
  type Rate,
  loadService,
  loadStraightforward,
  startStraightforward,
} from '../stage/load-lives.ts';
import { type Stage, openStage } from '../stage/open-stage.ts';

/** Only a frame, or an event, of what came after the provider's acceptance has its identifier. */
const ACCEPTED = '"provider_sid":"SM';
const DELIVERED = '"status":"delivered"';

/** What is counted is that a client hears of the provider's acceptance; nobody calls back. */
export const through: Scenario = {
  name: 'through',
  summary: 'accepted, taken by the provider, stored and told of, with one API and one worker',

  async run(options) {
    return runOnStage(options, async (stage, apps, seconds) => {
      await tellCarrier(apps.carrier, 'callbacks/off');
      options.onProgress('provider at once');
      const counted = { seconds, text: ACCEPTED };
      const fast = await loadService(stage, apps, counted);
      await stage.writeStatistics('through');
      options.onProgress('provider takes 200 ms');
      await tellCarrier(apps.carrier, 'latency/200');
      const slow = await loadService(stage, apps, counted);
      await stop(apps);
      await stage.writeStatistics('through-200-ms');
      const carrier = await stage.startCheapCarrier();
      await tellCarrier(carrier, 'callbacks/off');
      const plain = await measureReference(options, stage, carrier, counted);
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

/** What is counted is the last thing that happens to a message: a client hears of its delivery. */
export const delivery: Scenario = {
  name: 'delivery',
  summary: 'through, to the delivery: with two callbacks, signed, stored and told of',

  async run(options) {
    return runOnStage(options, async (stage, apps, seconds) => {
      const counted = { seconds, text: DELIVERED };
      options.onProgress('provider at once, two callbacks');
      const fast = await loadService(stage, apps, counted);
      await stop(apps);
      await stage.writeStatistics('delivery');
      const carrier = await stage.startCheapCarrier();
      const plain = await measureReference(options, stage, carrier, counted);
      const name = 'through, to the delivery';
      return [
        { name, value: fast.perSecond, unit: 'per second', goal: null },
        ...compare(name, fast, plain),
      ];
    });
  },
};

async function runOnStage(
  options: RunOptions,
  measure: (stage: Stage, apps: Apps, seconds: number) => Promise<Figure[]>,
): Promise<Figure[]> {
  const stage = await openStage({ ...options, workspaces: 16 });
  try {
    const carrier = await stage.startCheapCarrier();
    const api = await stage.startApi();
    const worker = await stage.startWorker(api.url, { WORKER_CONCURRENCY: '256' });
    return await measure(stage, { api, worker, carrier }, options.short ? 8 : 30);
  } finally {
    await stage.close();
  }
}

/** The carrier too: it calls back over connections that it keeps, and the reference is another. */
async function stop({ api, worker, carrier }: Apps): Promise<void> {
  await Promise.all([api.stop(), worker.stop()]);
  await carrier.stop();
}

async function measureReference(
  options: RunOptions,
  stage: Stage,
  carrier: ChildProcess,
  counted: { seconds: number; text: string },
): Promise<Rate> {
  options.onProgress('the straightforward worker');
  const apps = await startStraightforward(stage, carrier);
  const rate = await loadStraightforward(stage, apps, counted);
  await stage.writeStatistics('straightforward');
  return rate;
}

async function tellCarrier(carrier: ChildProcess, what: string): Promise<void> {
  const answer = await request(`${carrier.url}/${what}`, { method: 'PUT' });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`The carrier answered ${answer.statusCode}`);
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
    name: `${prefix}processor time for each, ${who}`,
    value,
    unit: 'µs',
    goal: null,
  }));
}
