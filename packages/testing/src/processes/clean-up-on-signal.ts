import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { openRun } from '../run/open-run.ts';
import { runningChildren } from './start-child.ts';

/** How long a run may take to end after its servers are gone. */
const END_TIMEOUT_MS = 10_000;
const TIMED_OUT_CODE = 1;

export interface CleanUps {
  /**
   * Registers the cleanup of something that a run created on the machine. Cleanups run latest
   * first.
   */
  add(cleanUp: () => Promise<void>): void;
}

/**
 * Opens a run and calls `run`. On SIGINT or SIGTERM, or after `limitMs`, runs all cleanups and ends the process.
 */
export async function cleanUpOnSignal(
  run: (cleanUps: CleanUps) => Promise<void>,
  limitMs: number | null = null,
): Promise<void> {
  const added: (() => Promise<void>)[] = [];
  const state: { stopped: Promise<never> | null } = { stopped: null };

  async function stop(exitCode: number): Promise<never> {
    // Errors from here on are caused by the cleanup, so they are ignored.
    process.on('uncaughtException', () => undefined);
    for (const cleanUp of added.toReversed()) await Promise.allSettled([cleanUp()]);
    await Promise.race([running.catch(() => undefined), delay(END_TIMEOUT_MS)]);
    // Clean up what the run started during the first cleanup.
    await Promise.all([...runningChildren].map((child) => child.kill()));
    process.exit(exitCode);
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void (state.stopped ??= stop(128 + constants.signals[signal])));
  }
  const limit =
    limitMs === null
      ? null
      : setTimeout(() => {
          process.stderr.write(`The run was stopped after ${limitMs / 1_000} s.\n`);
          state.stopped ??= stop(TIMED_OUT_CODE);
        }, limitMs);

  openRun();
  const running = run({ add: (cleanUp) => added.push(cleanUp) });
  try {
    await running;
  } catch (error) {
    if (state.stopped === null) throw error;
    await state.stopped;
  } finally {
    if (limit !== null) clearTimeout(limit);
  }
}
