export type Goal = readonly ['≥' | '≤', number];

const GENERATOR = ['generator busy', '≤', 0.8] as const;

/** The goals of `docs/performance.md` by scenario. The first name or pattern that matches a figure counts. */
const GOALS: Readonly<Record<string, readonly (readonly [string | RegExp, ...Goal])[]>> = {
  accept: [
    ['accepted', '≥', 10_000],
    ['accepted / straightforward', '≥', 3],
    ['accepted / pgbench, with triggers', '≥', 1],
    ['accepted / pgbench, without triggers', '≥', 1.1],
    GENERATOR,
  ],
  batches: [['in batches / one by one', '≥', 4]],
  kannel: [[/^accepted \//, '≥', 2]],
  processes: [
    ['5 ms, 16 workspaces, 2 APIs: ratio to 1', '≥', 1.8],
    ['5 ms, 16 workspaces, 4 APIs: ratio to 1', '≥', 2.2],
    ['5 ms, one workspace, 2 APIs: ratio to 1', '≥', 1.6],
    ['disk speed, 16 workspaces, 2 APIs: ratio to 1', '≥', 0.9],
  ],
  idle: [
    [/, p50$/, '≤', 1.2],
    [/, p99$/, '≤', 10],
  ],
  through: [
    ['through', '≥', 4_500],
    ['through, provider takes 200 ms', '≥', 1_000],
    ['through / straightforward', '≥', 3],
    GENERATOR,
  ],
  delivery: [['delivery', '≥', 2_200], ['delivery / straightforward', '≥', 3], GENERATOR],
  drain: [
    [/in Redis$/, '≥', 2_500],
    [/in PostgreSQL$/, '≥', 1_500],
  ],
  workers: [
    ['5 ms, 2 workers: ratio to 1', '≥', 1.7],
    ['5 ms, 4 workers: ratio to 1', '≥', 2.2],
    ['provider takes 200 ms, 2 workers: ratio to 1', '≥', 1.8],
  ],
  hops: [
    ['accepted → provider request, p50', '≤', 2],
    [/ → frame, p50$/, '≤', 2.5],
  ],
  history: [
    [/^page 10,000 of .*, p95$/, '≤', 100],
    [/: page, p95$/, '≤', 20],
    [/^(no filter|((status|direction)[^+]*(\+ )?)+): total, p95$/, '≤', 20],
    [/: total, p95$/, '≤', 250],
    [/^(search|list with search): .*, p95$/, '≤', 150],
    [/^delivery statistics.*, p95$/, '≤', 250],
    [/^a message, ratio/, '≤', 1.2],
  ],
  hub: [
    ['response → frame, p99', '≤', 250],
    ['memory of a socket', '≤', 30],
  ],
  workspaces: [
    // The writer may end slightly late.
    ['events, 1,000 workspaces', '≥', 1_980],
    ['p99 of the last third relative to the first', '≤', 1.5],
  ],
  fairness: [
    ['with a backlog: accepted → with the provider, longest', '≤', 1_000],
    [/refused credentials: .* longest$/, '≤', 2_000],
  ],
  neighbours: [[/, loaded \/ quiet$/, '≤', 2]],
  failover: [
    ['first refusal → accepted by the other provider, p95', '≤', 5_000],
    ['breaker open: created → accepted by the other provider, p95', '≤', 100],
    [/^share of the provider in its first/, '≤', 0.5],
    [/^largest share/, '≤', 1.5],
    ['steady share after a minute', '≥', 0.4],
  ],
  webhooks: [
    ['event → webhook, p50', '≤', 20],
    [/^backlog of/, '≥', 2_000],
    ['p99 that the hung endpoint adds', '≤', 1_000],
    ['accepting with ten endpoints / with none', '≥', 0.97],
  ],
  footprint: [
    [/, idle$/, '≤', 150],
    ['first npm start, ready in', '≤', 5],
  ],
};

/** Returns null if the figure has no goal of its own and only explains others. */
export function findGoal(scenario: string, figure: string): Goal | null {
  for (const [name, ...goal] of GOALS[scenario] ?? []) {
    if (typeof name === 'string' ? name === figure : name.test(figure)) return goal;
  }
  return null;
}
