import type { ChildProcess, WorkspaceFixture } from '@switchboard/testing';
import { type Figure, type RunOptions, type Scenario, latency } from '../scenario.ts';
import { openBenchEnvironment } from '../environment/open-environment.ts';
import { startIdleShare } from '../environment/read-idle-share.ts';
import { setSlowCommits } from '../environment/slow-commits.ts';
import { runLoad } from '../load/run-load.ts';
import { median } from '../statistics.ts';

const CONNECTIONS = 64;
/** In a process that has just started, V8 compiles hot functions for a few seconds. */
const WARM_UP_SECONDS = 5;
const APIS = [1, 2, 4] as const;

/** The results of several APIs together, one of each for each round. */
interface Measured {
  rates: number[];
  p99: number[];
  idle: number[];
}

/** Measures whether more APIs accept more messages, when commits are slow and when they are not. */
export const processes: Scenario = {
  name: 'processes',
  summary:
    'POST /api/messages at 1, 2 and 4 APIs, 64 connections each, with commits of 5 ms and at disk speed',

  async run(options: RunOptions): Promise<Figure[]> {
    const [rounds, seconds] = options.short ? [3, 3] : [5, 8];
    const environment = await openBenchEnvironment({ ...options, workspaces: 16 });
    const { databaseUrl, workspaces } = environment;

    /**
     * Starts APIs, and measures the first one, two and four in turn, so that other load affects
     * all.
     */
    async function measure(counts: readonly number[], chosen: readonly WorkspaceFixture[]) {
      const apis: ChildProcess[] = [];
      while (apis.length < Math.max(...counts)) apis.push(await environment.startApi());
      const apiKeys = chosen.map(({ apiKey }) => apiKey);
      const load = (urls: readonly string[], plan: { seconds: number; warmUpSeconds: number }) =>
        Promise.all(
          urls.map((url) => runLoad({ url, apiKeys, connections: CONNECTIONS, ...plan })),
        );
      const urls = apis.map(({ url }) => url);
      await load(urls, { seconds: 1, warmUpSeconds: WARM_UP_SECONDS });
      const measured = new Map(
        counts.map((count): [number, Measured] => [count, { rates: [], p99: [], idle: [] }]),
      );
      for (let round = 1; round <= rounds; round += 1) {
        options.onProgress(`${chosen.length} workspaces, round ${round} of ${rounds}`);
        for (const [count, { rates, p99, idle }] of measured) {
          const readIdle = startIdleShare();
          const results = await load(urls.slice(0, count), { seconds, warmUpSeconds: 1 });
          idle.push(readIdle());
          rates.push(results.reduce((sum, { acceptedPerSecond }) => sum + acceptedPerSecond, 0));
          p99.push(Math.max(...results.map(({ latencyMs }) => latencyMs.p99)));
        }
      }
      await Promise.all(apis.map((api) => api.stop()));
      return measured;
    }

    try {
      await setSlowCommits(databaseUrl, true);
      const many = await measure(APIS, workspaces);
      const one = await measure(APIS, workspaces.slice(0, 1));
      await setSlowCommits(databaseUrl, false);
      const fast = await measure([1, 2], workspaces);
      return [
        ...figuresOf('5 ms, 16 workspaces', many, { 2: 1.8, 4: 2.2 }),
        ...figuresOf('5 ms, one workspace', one, { 2: 1.6 }),
        ...figuresOf('disk speed, 16 workspaces', fast, { 2: 0.9 }),
      ];
    } finally {
      await environment.close();
    }
  },
};

/** The goals are ratios to one API. */
function figuresOf(
  what: string,
  measured: ReadonlyMap<number, Measured>,
  goals: Readonly<Record<number, number>>,
): Figure[] {
  const alone = measured.get(1)?.rates ?? [];
  return [...measured].flatMap(([count, { rates, p99, idle }]): Figure[] => {
    const name = `${what}, ${count === 1 ? '1 API' : `${count} APIs`}`;
    const goal = goals[count];
    // Compares rates of the same round, so that other load on the machine affects both.
    const ratios = rates.map((rate, round) => rate / (alone[round] ?? NaN));
    return [
      { name, value: median(rates), unit: 'per second', goal: null },
      latency(`${name}: latency p99`, median(p99)),
      { name: `${name}: CPU idle`, value: median(idle), unit: 'times', goal: null },
      ...(count === 1
        ? []
        : [
            {
              name: `${name}: ratio to 1`,
              value: median(ratios),
              unit: 'times' as const,
              goal: goal === undefined ? null : { atLeast: goal },
            },
          ]),
    ];
  });
}
