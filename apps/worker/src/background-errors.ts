import type { Logger } from '@switchboard/runtime';

const EVERY_MS = 10_000;

/** Creates a logger for frequent errors: at most one line per part every ten seconds. */
export function createLogBackgroundError(logger: Logger) {
  const parts = new Map<string, { loggedAt: number; dropped: number }>();

  return function logBackgroundError(part: string, error: unknown): void {
    const state = parts.get(part) ?? { loggedAt: -Infinity, dropped: 0 };
    parts.set(part, state);
    if (performance.now() - state.loggedAt < EVERY_MS) {
      state.dropped += 1;
      return;
    }
    logger.warn({ err: error, part, dropped_lines: state.dropped }, 'background error');
    state.loggedAt = performance.now();
    state.dropped = 0;
  };
}
