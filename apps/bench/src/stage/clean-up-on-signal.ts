import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a run that has lost its servers may take to notice. */
const PATIENCE_MS = 10_000;

export interface CleanUps {
  /** Undoes something that a run has put on the machine; any number of calls. */
  add(cleanUp: () => Promise<void>): void;
}

/** Calls `run`, and at SIGINT or SIGTERM undoes what it has done and ends the process. */
export async function cleanUpOnSignal(run: (cleanUps: CleanUps) => Promise<void>): Promise<void> {
  const added: (() => Promise<void>)[] = [];
  const state: { stopped: Promise<never> | null } = { stopped: null };

  async function stop(signal: 'SIGINT' | 'SIGTERM'): Promise<never> {
    // What runs fails now because its servers go away, here or there: that tells nothing.
    process.on('uncaughtException', () => undefined);
    await Promise.allSettled(added.toReversed().map((cleanUp) => cleanUp()));
    await Promise.race([running.catch(() => undefined), delay(PATIENCE_MS)]);
    process.exit(128 + constants.signals[signal]);
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void (state.stopped ??= stop(signal)));
  }

  const running = run({ add: (cleanUp) => added.push(cleanUp) });
  try {
    await running;
  } catch (error) {
    if (state.stopped === null) throw error;
    await state.stopped;
  }
}
