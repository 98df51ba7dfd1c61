import type { Run } from './scenario.ts';
import { measureInRounds, median } from './statistics.ts';

/** The figures that explain a rate. */
const EXPLANATIONS = [
  ['latency p99', 'ms'],
  ['CPU idle', 'times'],
] as const;

type Counted = { perSecond: number } & Partial<Record<(typeof EXPLANATIONS)[number][0], number>>;

/** Measures one process and several, and reports the rates, and those of several as ratios to one. */
export async function compareCounts(
  { progress, report }: Run,
  plan: { name: string; noun: string; counts: readonly number[]; rounds: number },
  measure: (count: number) => Promise<Counted>,
): Promise<void> {
  const { name, noun, counts, rounds } = plan;
  const results = new Map(counts.map((count): [number, Counted[]] => [count, []]));
  const variants = counts.map((count): [string, () => Promise<number>] => [
    String(count),
    async () => {
      const result = await measure(count);
      results.get(count)?.push(result);
      return result.perSecond;
    },
  ]);
  const measured = await measureInRounds(
    rounds,
    (what) => progress(`${name}, ${what}`),
    Object.fromEntries(variants),
  );
  for (const [count, of] of results) {
    const what = `${name}, ${count} ${count === 1 ? noun : `${noun}s`}`;
    report(what, 'per second', measured.median(String(count)));
    for (const [each, unit] of EXPLANATIONS) {
      const values = of.flatMap((result) => result[each] ?? []);
      if (values.length > 0) report(`${what}: ${each}`, unit, median(values));
    }
    if (count !== 1) report(`${what}: ratio to 1`, 'times', measured.ratio(String(count), '1'));
  }
}
