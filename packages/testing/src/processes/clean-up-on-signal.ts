import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { runningChildren } from './start-child.ts';

/** How long a run that has lost its servers may take to notice. */
const PATIENCE_MS = 10_000;
const TOO_LATE = 1;

export interface CleanUps {
  /** Undoes something that a run has put on the machine, the latest first; any number of calls. */
  add(cleanUp: () => Promise<void>): void;
}

/**
 * Calls `run`, and at SIGINT or SIGTERM, or when it takes longer than `limitMs`, undoes what it has
 * done and ends the process.
 */
export async function cleanUpOnSignal(
  run: (cleanUps: CleanUps) => Promise<void>,
  limitMs: number | null = null,
): Promise<void> {
  const added: (() => Promise<void>)[] = [];
  const state: { stopped: Promise<never> | null } = { stopped: null };

  async function stop(exitCode: number): Promise<never> {
    // What runs fails now because its servers go away, here or there: that tells nothing.
    process.on('uncaughtException', () => undefined);
    for (const cleanUp of added.toReversed()) await Promise.allSettled([cleanUp()]);
    await Promise.race([running.catch(() => undefined), delay(PATIENCE_MS)]);
    // What it has started meanwhile, not knowing.
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
          process.stderr.write(`Given up after ${limitMs / 1_000} s.\n`);
          state.stopped ??= stop(TOO_LATE);
        }, limitMs);

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
