import type { Figure, RunOptions, Scenario } from '../scenario.ts';
import { type Comparison, compareWorkers } from '../drain/compare-workers.ts';

const SLOW_PROVIDER = {
  name: 'provider takes 200 ms',
  latencyMs: 200,
  hasSlowCommits: false,
  count: 12_000,
  goals: new Map([[2, 1.8]]),
} satisfies Partial<Comparison>;

const SLOW_COMMITS = {
  name: '5 ms',
  latencyMs: 0,
  hasSlowCommits: true,
  // Four workers use both CPUs for several seconds until their code is compiled.
  count: 48_000,
  goals: new Map([
    [2, 1.7],
    [4, 2.2],
  ]),
} satisfies Partial<Comparison>;

/** Measures whether more workers send a backlog faster. */
export const workers: Scenario = {
  name: 'workers',
  summary:
    'a backlog of 16 workspaces, sent by 1 and 2 workers with a provider that takes 200 ms, and by 1, 2 and 4 with commits of 5 ms',

  async run(options: RunOptions): Promise<Figure[]> {
    // Odd, so that the median is one of the rounds.
    const rounds = options.short ? 3 : 5;
    const slowProvider = await compareWorkers(options, { ...SLOW_PROVIDER, rounds });
    const slowCommits = await compareWorkers(options, { ...SLOW_COMMITS, rounds });
    return [...slowProvider, ...slowCommits];
  },
};
