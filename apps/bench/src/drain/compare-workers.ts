import type { Figure, RunOptions } from '../scenario.ts';
import { openBenchEnvironment } from '../environment/open-environment.ts';
import { setSlowCommits } from '../environment/slow-commits.ts';
import { median } from '../statistics.ts';
import { type Drained, measureDrain, startQuietCarrier } from './measure-drain.ts';

const WORKSPACES = 16;
/** Only the part of the backlog between these shares is measured, without the start and the last calls. */
const MEASURED = { from: 0.4, to: 0.95, seconds: 120 };

export interface Comparison {
  name: string;
  /** How long the provider takes for each call. */
  latencyMs: number;
  hasSlowCommits: boolean;
  /** Messages in the backlog of each measurement. */
  count: number;
  rounds: number;
  /** The goals by number of workers, as ratios to one worker. */
  goals: ReadonlyMap<number, number>;
}

/** Measures whether more workers send a backlog faster. Each round measures one worker and all others. */
export async function compareWorkers(
  options: RunOptions,
  { name, latencyMs, hasSlowCommits, count, rounds, goals }: Comparison,
): Promise<Figure[]> {
  const environment = await openBenchEnvironment({ ...options, workspaces: WORKSPACES });
  try {
    const carrier = await startQuietCarrier(environment, latencyMs);
    await setSlowCommits(environment.databaseUrl, hasSlowCommits);
    const measured = new Map([1, ...goals.keys()].map((n): [number, Drained[]] => [n, []]));
    for (let round = 1; round <= rounds; round += 1) {
      for (const [workers, rows] of measured) {
        options.onProgress(`${name}, round ${round} of ${rounds}, workers: ${workers}`);
        const plan = { ...environment, ...MEASURED, count, workers };
        rows.push(await measureDrain(environment, carrier, plan));
      }
    }
    const alone = measured.get(1) ?? [];
    return [...measured].flatMap(([workers, rows]): Figure[] => {
      const what = `${name}, drained by ${workers === 1 ? '1 worker' : `${workers} workers`}`;
      const rate = median(rows.map(({ perSecond }) => perSecond));
      const idle = median(rows.map((row) => row.idle));
      const ratio = median(
        rows.map(({ perSecond }, round) => perSecond / (alone[round]?.perSecond ?? NaN)),
      );
      const goal = goals.get(workers);
      return [
        { name: what, value: rate, unit: 'per second', goal: null },
        { name: `${what}: CPU idle`, value: idle, unit: 'times', goal: null },
        ...(goal === undefined ? [] : [ratioToOne(what, ratio, goal)]),
      ];
    });
  } finally {
    await environment.close();
  }
}

function ratioToOne(what: string, value: number, atLeast: number): Figure {
  return { name: `${what}: ratio to 1`, value, unit: 'times', goal: { atLeast } };
}
