import type { CleanUps } from '@switchboard/testing';
import type { BenchEnvironment, EnvironmentOptions } from './environment/open-environment.ts';

export type Unit = 'per second' | 'ms' | 'µs' | 'MB' | 'kB' | 'seconds' | 'times' | 'count';

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
}

/** What a scenario uses: options, environments, and the report. */
export interface Run extends RunOptions {
  /** Starts servers of its own, which are closed at the latest when the scenario ends. */
  open(options: EnvironmentOptions): Promise<BenchEnvironment>;
  progress(what: string): void;
  /** Adds a figure. `--compare` and the table of goals find it by its name. */
  report(name: string, unit: Unit, value: number): void;
  /** Adds a latency for each of the percentiles, the p50 and the p99 by default; 1 is the longest. */
  latencies(name: string, values: readonly number[], shares?: readonly number[]): void;
}

/** Measures one row of the table of goals. */
export interface Scenario {
  name: string;
  summary: string;
  run(run: Run): Promise<void>;
}
