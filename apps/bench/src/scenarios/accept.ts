import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildProcess, startKannel } from '@switchboard/testing';
import { startCpuMeter, startIdleShare } from '../environment/machine.ts';
import { type BenchEnvironment, UNSERVED_URL } from '../environment/open-environment.ts';
import { preparePgbench, withoutTriggers } from '../environment/pgbench.ts';
import { WARM_UP, runLoad } from '../environment/run-load.ts';
import { setSlowCommits } from '../environment/slow-commits.ts';
import type { Run, Scenario } from '../scenario.ts';
import { measureInRounds, median } from '../statistics.ts';
import { compareCounts } from '../compare-counts.ts';

/** Measures how fast messages are accepted, with rows, events and hints. No worker runs. */
export const accept: Scenario = {
  name: 'accept',
  summary:
    'POST /api/messages with 64 connections, compared with pgbench and the straightforward API',
  async run({ short, open, progress, report }) {
    const [rounds, seconds] = short ? [3, 4] : [5, 10];
    const environment = await open({ workspaces: 16 });
    const { databaseUrl, redisUrl, workspaces, workspace, postgresPid, redisPid } = environment;
    const api = await environment.startApi();
    const plain = environment.startProgram('straightforward-api', {
      databaseUrl: withoutTriggers(databaseUrl),
      redisUrl,
      workspaceId: workspace.workspaceId,
    });
    const plainUrl = await plain.receive<string>();
    const pgbench = await preparePgbench(environment);
    const apiKeys = workspaces.map((each) => each.apiKey);
    const load = (url: string, plan = { seconds, warmUpSeconds: 1 }) =>
      runLoad(environment, { url, apiKeys, ...plan });

    progress('warming up');
    for (const url of [api.url, plainUrl]) await load(url, WARM_UP);
    const [busy, p99]: [number[], number[]] = [[], []];
    const micros = new Map<string, number[]>();
    const measured = await measureInRounds(rounds, progress, {
      async ours() {
        const readCpu = startCpuMeter({ api: api.pid, postgres: postgresPid, redis: redisPid });
        const result = await load(api.url);
        for (const cpu of readCpu(result.acceptedInTotal))
          micros.set(cpu.name, [...(micros.get(cpu.name) ?? []), cpu.micros]);
        busy.push(result.busy);
        p99.push(result.latencyMs.p99);
        return result.acceptedPerSecond;
      },
      plain: async () => (await load(plainUrl)).acceptedPerSecond,
      ...(pgbench && {
        'with triggers': () => pgbench(seconds, true),
        'without triggers': () => pgbench(seconds, false),
      }),
    });
    report('accepted', 'per second', measured.median('ours'));
    for (const [name, values] of micros)
      report(`CPU time per message, ${name}`, 'µs', median(values));
    report('latency p99 under this load', 'ms', median(p99));
    report('straightforward API', 'per second', measured.median('plain'));
    report('accepted / straightforward', 'times', measured.ratio('ours', 'plain'));
    for (const what of pgbench === null ? [] : ['with triggers', 'without triggers']) {
      report(`pgbench, same rows one at a time, ${what}`, 'per second', measured.median(what));
      report(`accepted / pgbench, ${what}`, 'times', measured.ratio('ours', what));
    }
    report('generator busy', 'times', median(busy));
  },
};

const BATCH = 100;

/** Measures how fast messages are accepted in batches and one by one, in turn. No worker runs. */
export const batches: Scenario = {
  name: 'batches',
  summary: 'accepted per second in batches of 100 over 8 connections, compared with single sends',
  async run({ short, open, progress, report }) {
    const [rounds, seconds] = short ? [3, 4] : [5, 10];
    const environment = await open({ workspaces: 16 });
    const { workspaces, postgresPid } = environment;
    const api = await environment.startApi();
    const service = { url: api.url, apiKeys: workspaces.map(({ apiKey }) => apiKey) };
    const plans = {
      'in batches': { ...service, batch: BATCH, connections: 8 },
      'one by one': service,
    };
    progress('warming up');
    for (const plan of Object.values(plans)) await runLoad(environment, { ...plan, ...WARM_UP });
    const micros = new Map<string, number[]>();
    const variants = Object.entries(plans).map(([name, plan]): [string, () => Promise<number>] => [
      name,
      async () => {
        const readCpu = startCpuMeter({ api: api.pid, postgres: postgresPid });
        const result = await runLoad(environment, { ...plan, seconds });
        for (const cpu of readCpu(result.acceptedInTotal)) {
          const label = `${name}, ${cpu.name}`;
          micros.set(label, [...(micros.get(label) ?? []), cpu.micros]);
        }
        return result.acceptedPerSecond;
      },
    ]);
    const measured = await measureInRounds(rounds, progress, Object.fromEntries(variants));
    for (const name of Object.keys(plans)) {
      report(`accepted ${name}`, 'per second', measured.median(name));
    }
    report('in batches / one by one', 'times', measured.ratio('in batches', 'one by one'));
    for (const [name, values] of micros)
      report(`CPU time per message, ${name}`, 'µs', median(values));
  },
};

/** Measures how fast the service and Kannel accept messages, in turn. Neither sends the messages. */
export const kannel: Scenario = {
  name: 'kannel',
  summary: 'accepted per second, compared with Kannel: bearerbox and smsbox',
  async run({ short, open, progress, report }) {
    const [rounds, seconds] = short ? [3, 4] : [5, 10];
    const environment = await open({ workspaces: 1 });
    const api = await environment.startApi();
    const service = { url: api.url, apiKeys: [environment.workspace.apiKey] };
    const programs = {
      accepted: service,
      'Kannel, messages in memory': await openKannel(environment, false),
      'Kannel, messages in files': await openKannel(environment, true),
    };
    progress('warming up');
    for (const plan of Object.values(programs)) await runLoad(environment, { ...plan, ...WARM_UP });
    const variants = Object.entries(programs).map(
      ([name, plan]): [string, () => Promise<number>] => [
        name,
        async () => (await runLoad(environment, { ...plan, seconds })).acceptedPerSecond,
      ],
    );
    const measured = await measureInRounds(rounds, progress, Object.fromEntries(variants));
    for (const name of Object.keys(programs)) {
      report(name, 'per second', measured.median(name));
      if (name !== 'accepted')
        report(`accepted / ${name}`, 'times', measured.ratio('accepted', name));
    }
  },
};

/** Starts a gateway without an SMSC, and returns the part of a load plan that addresses it. */
async function openKannel({ folder, onClose }: BenchEnvironment, keepsFiles: boolean) {
  const own = join(folder, keepsFiles ? 'kannel-files' : 'kannel-memory');
  await mkdir(own, { recursive: true });
  // Nothing is delivered, so the receiver is never called.
  const common = { folder: own, smsc: null, receiverUrl: UNSERVED_URL, keepsFiles };
  const gateway = await startKannel({ ...common, logLevel: 1 });
  onClose(() => gateway.stop());
  return { url: gateway.url, program: 'kannel' as const, apiKeys: [] };
}

const PROCESSES = [
  { name: '5 ms, 16 workspaces', isSlow: true, workspaces: 16, counts: [1, 2, 4] },
  { name: '5 ms, one workspace', isSlow: true, workspaces: 1, counts: [1, 2, 4] },
  { name: 'disk speed, 16 workspaces', isSlow: false, workspaces: 16, counts: [1, 2] },
];

/** Measures whether more APIs accept more messages, when commits are slow and when they are not. */
export const processes: Scenario = {
  name: 'processes',
  summary:
    'POST /api/messages at 1, 2 and 4 APIs, 64 connections each, with commits of 5 ms and at disk speed',
  async run(run: Run) {
    const [rounds, seconds] = run.short ? [3, 3] : [5, 8];
    const environment = await run.open({ workspaces: 16 });
    for (const { name, isSlow, workspaces, counts } of PROCESSES) {
      await setSlowCommits(environment, isSlow);
      const apiKeys = environment.workspaces.slice(0, workspaces).map(({ apiKey }) => apiKey);
      const apis: ChildProcess[] = [];
      while (apis.length < Math.max(...counts)) apis.push(await environment.startApi());
      const load = (count: number, plan: { seconds: number; warmUpSeconds: number }) =>
        Promise.all(
          apis.slice(0, count).map(({ url }) => runLoad(environment, { url, apiKeys, ...plan })),
        );
      await load(apis.length, WARM_UP);
      await compareCounts(run, { name, noun: 'API', counts, rounds }, async (count) => {
        const readIdle = startIdleShare();
        const results = await load(count, { seconds, warmUpSeconds: 1 });
        const perSecond = results.reduce((sum, each) => sum + each.acceptedPerSecond, 0);
        const p99 = Math.max(...results.map(({ latencyMs }) => latencyMs.p99));
        return { perSecond, 'latency p99': p99, 'CPU idle': readIdle() };
      });
      await Promise.all(apis.map((api) => api.stop()));
    }
  },
};
