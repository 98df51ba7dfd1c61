import type { CleanUps } from '@switchboard/testing';

export type Unit = 'per second' | 'ms' | 'µs' | 'MB' | 'kB' | 'seconds' | 'times' | 'count';

/** One measured value of a run, with its goal. */
export interface Figure {
  /** The same in every run, so that `--compare` finds it. */
  name: string;
  value: number;
  unit: Unit;
  /** Null if the figure has no goal of its own and only explains others. */
  goal: { atLeast: number } | { atMost: number } | null;
}

/** Creates the figure of a latency, with `atMost` as its goal if it is given. */
export function latency(name: string, value: number, atMost?: number): Figure {
  return { name, value, unit: 'ms', goal: atMost === undefined ? null : { atMost } };
}

export interface RunOptions {
  /** Runs a smaller and faster form with the same goals. */
  short: boolean;
  /** The folder for CPU profiles of the processes under test. Null for none. */
  profileFolder: string | null;
  /** The folder that keeps data for the next run. Null for none. */
  dataFolder: string | null;
  /** The number of messages that `history` generates. Null for its own choice. */
  messages: number | null;
  /** Run when the benchmark is interrupted. */
  cleanUps: CleanUps;
  onProgress(what: string): void;
}

/** Measures one row of the table of goals. Starts and stops all servers and processes that it needs. */
export interface Scenario {
  name: string;
  summary: string;
  run(options: RunOptions): Promise<Figure[]>;
}

export function reachesGoal({ value, goal }: Figure): boolean | null {
  if (goal === null) return null;
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}
