import { setTimeout as delay } from 'node:timers/promises';

/** A running part of the service. `exited` resolves with a sentence that says how it ended. */
export interface Run {
  exited: Promise<string>;
}

export interface KeepRunningOptions {
  /** Shown to the user: `api`. */
  name: string;
  /** Starts the part again. Resolves when it is ready; the error of a failed start is a sentence. */
  start(): Promise<Run>;
  /** Shows a line to the user. */
  report(line: string): void;
  /** Called with the reason when the part is not started again. */
  giveUp(reason: string): void;
  /** Aborted when all parts are stopped on purpose. */
  signal: AbortSignal;
  /** The monotonic clock, in milliseconds. */
  now?(): number;
  wait?(ms: number, signal: AbortSignal): Promise<unknown>;
}

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** About two minutes of restarts in a row. */
export const MAX_RESTARTS = 8;
/** A part that has run for this long has recovered: its next restart is the first one again. */
const STABLE_MS = 60_000;

/**
 * Starts a part again whenever it ends, after a delay that doubles from 1 s to 30 s. A part that ends
 * again and again is given up after 8 restarts. Resolves when the part is no longer kept running.
 */
export async function keepRunning(run: Run, options: KeepRunningOptions): Promise<void> {
  const { name, start, report, signal, now = performance.now.bind(performance) } = options;
  const wait = options.wait ?? ((ms) => delay(ms, undefined, { signal }).catch(() => undefined));
  let ended = run.exited;
  let restarts = 0;
  let startedAt = now();

  async function restart(): Promise<string> {
    try {
      const { exited } = await start();
      report(`${name} is running again.`);
      return await exited;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  for (;;) {
    const how = await ended;
    if (signal.aborted) return;
    if (now() - startedAt >= STABLE_MS) restarts = 0;
    if (restarts === MAX_RESTARTS) {
      options.giveUp(`${how} It was restarted ${MAX_RESTARTS} times in a row.`);
      return;
    }
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** restarts, MAX_DELAY_MS);
    restarts += 1;
    report(
      `${how} Restarting it in ${delayMs / 1_000} s (restart ${restarts} of ${MAX_RESTARTS}).`,
    );
    await wait(delayMs, signal);
    if (signal.aborted) return;
    startedAt = now();
    ended = restart();
  }
}
