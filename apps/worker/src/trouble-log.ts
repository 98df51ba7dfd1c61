import type { Logger } from '@switchboard/runtime';

const EVERY_MS = 10_000;

/** Logs trouble that comes in floods: for each part one line at once, then one in ten seconds. */
export function createTroubleLog(logger: Logger) {
  const parts = new Map<string, { loggedAt: number; dropped: number }>();

  return function logTrouble(part: string, error: unknown): void {
    const state = parts.get(part) ?? { loggedAt: -Infinity, dropped: 0 };
    parts.set(part, state);
    if (performance.now() - state.loggedAt < EVERY_MS) {
      state.dropped += 1;
      return;
    }
    logger.warn({ err: error, part, like_it_since: state.dropped }, 'trouble in the background');
    state.loggedAt = performance.now();
    state.dropped = 0;
  };
}
