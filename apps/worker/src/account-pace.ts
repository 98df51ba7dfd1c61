/**
 * The pace of a provider account. It is unlimited until the provider throttles a call. From then on it follows
 * the provider's limit, which is unknown: it grows with every accepted call, and drops after a throttled one.
 */
export interface AccountPace {
  /** Whether the pace is limited. */
  readonly isLimited: boolean;
  /** The time from which the next call may start. */
  readonly nextAt: number;
  /** The time between two calls, in milliseconds: 0 without a limit. */
  readonly gapMs: number;
  /** Counts the start of a call. Returns the time that it takes from the others, in milliseconds. */
  take(): number;
  /** Returns that time after a call that was not made. */
  giveBack(takenMs: number): void;
  accept(): void;
  throttle(): void;
}

/** Calls per second. A provider with a lower limit throttles some of them. */
const SLOWEST = 0.5;
/** What is left of the pace at which the provider throttled a call: as much as it accepts, within limits. */
const DROP = 0.9;
const LARGEST_DROP = 0.5;
const SEARCH_DROP = 0.8;
/** What is left if it accepts nothing, for example until the end of a minute. */
const STANDSTILL_DROP = 0.25;
/** Throttled calls within this time have the same cause. */
const SAME_CAUSE_MS = 1_000;
/** What an accepted call adds: 2 % in a second. */
const STEP = 0.02;
/** What it adds while the limit is not known, or was not reached for a while: the pace doubles in a second. */
const SEARCH_STEP = 1;
const SEARCH_AFTER_MS = 10_000;
/** Without a throttled call for this long, the pace is unlimited again. */
const FORGET_AFTER_MS = 60_000;
/** Calls that could not start in time, because the process was busy, may follow at once. */
const CATCH_UP_MS = 50;
const WINDOW_MS = 1_000;

/** @param monotonic returns the time in milliseconds */
export function createAccountPace(monotonic = () => performance.now()): AccountPace {
  /** Calls per second; null without a limit. */
  let rate: number | null = null;
  /** Below it, the pace may grow quickly. */
  let knownLimit = Number.POSITIVE_INFINITY;
  let nextAt = Number.NEGATIVE_INFINITY;
  let droppedAt = Number.NEGATIVE_INFINITY;
  let throttledAt = Number.NEGATIVE_INFINITY;
  let windowStart = Number.NEGATIVE_INFINITY;
  /** Accepted calls in this window and in the one before it. */
  let accepted = 0;
  let acceptedBefore = 0;

  function startWindow(now: number): void {
    const age = now - windowStart;
    if (age < WINDOW_MS) return;
    acceptedBefore = age < 2 * WINDOW_MS ? accepted : 0;
    accepted = 0;
    windowStart = now;
  }

  function drop(now: number): void {
    startWindow(now);
    const measured = Math.max(accepted, acceptedBefore);
    if (rate === null) {
      rate = measured;
      // A single call shows only that calls must not be made together.
      if (measured > 1) knownLimit = measured;
    } else if (measured === 0) {
      rate *= STANDSTILL_DROP;
    } else {
      // While the pace grows quickly, the count is that of a lower pace.
      const least = rate * (Number.isFinite(knownLimit) ? LARGEST_DROP : SEARCH_DROP);
      rate = Math.min(rate * DROP, Math.max(measured, least));
      knownLimit = rate;
    }
    rate = Math.max(rate, SLOWEST);
    droppedAt = now;
  }

  function stepOf(current: number, now: number): number {
    return current < knownLimit || now - throttledAt > SEARCH_AFTER_MS ? SEARCH_STEP : STEP;
  }

  return {
    get isLimited() {
      return rate !== null && monotonic() - throttledAt <= FORGET_AFTER_MS;
    },
    get nextAt() {
      return nextAt;
    },
    get gapMs() {
      return rate === null ? 0 : 1_000 / rate;
    },
    take() {
      if (rate === null) return 0;
      const takenMs = 1_000 / rate;
      nextAt = Math.max(nextAt, monotonic() - CATCH_UP_MS) + takenMs;
      return takenMs;
    },
    giveBack(takenMs) {
      nextAt -= takenMs;
    },
    accept() {
      const now = monotonic();
      startWindow(now);
      accepted += 1;
      if (rate === null) return;
      if (now - throttledAt <= FORGET_AFTER_MS) {
        rate += stepOf(rate, now);
      } else {
        rate = null;
        knownLimit = Number.POSITIVE_INFINITY;
      }
    },
    throttle() {
      const now = monotonic();
      if (now - droppedAt >= SAME_CAUSE_MS) drop(now);
      throttledAt = now;
      nextAt = Math.max(nextAt, now + 1_000 / (rate ?? SLOWEST));
    },
  };
}
