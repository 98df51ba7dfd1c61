import type { CleanUps } from '@switchboard/testing';

export type Unit = 'per second' | 'ms' | 'µs' | 'MB' | 'kB' | 'seconds' | 'times' | 'count';

/** One number of a run, with what it should be. */
export interface Figure {
  /** The same in every run, so that runs can be compared. */
  name: string;
  value: number;
  unit: Unit;
  /** Null where the figure is there to judge others by. */
  goal: { atLeast: number } | { atMost: number } | null;
}

export interface RunOptions {
  /** Smaller and quicker; the goals stay those of the long form. */
  short: boolean;
  /** Where the processes under test leave CPU profiles; null: nowhere. */
  profileFolder: string | null;
  /** Where what takes long to make is kept for the next run; null: nowhere. */
  dataFolder: string | null;
  /** Undone when the run is told to stop. */
  cleanUps: CleanUps;
  onProgress(what: string): void;
}

/** Measures one line of the table of goals. Starts and stops all that it needs. */
export interface Scenario {
  name: string;
  summary: string;
  run(options: RunOptions): Promise<Figure[]>;
}

export function reachesGoal({ value, goal }: Figure): boolean | null {
  if (goal === null) return null;
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}
