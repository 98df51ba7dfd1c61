import { percentile } from '@switchboard/testing/percentile';

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The values of several variants, one of each variant for each round. */
export interface Rounds {
  median(variant: string): number;
  /** Compares values of the same round, so that other load on the machine affects both. */
  ratio(variant: string, reference: string): number;
}

/** Measures each variant once in each round. The order alternates, because tables grow. */
export async function measureInRounds(
  rounds: number,
  progress: (what: string) => void,
  variants: Readonly<Record<string, () => Promise<number>>>,
): Promise<Rounds> {
  const measured = new Map(Object.keys(variants).map((name): [string, number[]] => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    progress(`round ${round} of ${rounds}`);
    const order = Object.entries(variants);
    for (const [name, measure] of round % 2 === 0 ? order.toReversed() : order) {
      measured.get(name)?.push(await measure());
    }
  }
  const values = (name: string) => measured.get(name) ?? [];
  return {
    median: (variant) => median(values(variant)),
    ratio: (variant, reference) =>
      median(values(variant).map((value, round) => value / (values(reference)[round] ?? NaN))),
  };
}

/** Runs a function once with each input, one after another, and returns the times in milliseconds. */
export async function timeEach<Input>(
  inputs: readonly Input[],
  run: (input: Input) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  for (const input of inputs) {
    const before = performance.now();
    await run(input);
    times.push(performance.now() - before);
  }
  return times;
}
