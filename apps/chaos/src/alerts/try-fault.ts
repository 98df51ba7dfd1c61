import type { Fault } from './fault.ts';
import type { AlertWatch } from './watch-alerts.ts';

/** What one alert did when its fault was caused and mended. */
export interface Finding {
  alert: string;
  what: string;
  /** Null where it did not come to it. */
  secondsToFire: number | null;
  secondsToResolve: number | null;
  problem: string | null;
}

/** Longer than the longest window, shortened, and than the thresholds, which are not. */
const QUIET_LIMIT_MS = 150_000;
const FIRE_LIMIT_MS = 200_000;

export interface Trial {
  /**
   * The fault is mended; its alerts may still have to end. What else was firing by then, for this
   * fault or for one at the same time.
   */
  mended: Promise<string[]>;
  findings: Promise<Finding[]>;
}

/** Causes a fault once none of its alerts is firing, mends it when all are, and waits for their end. */
export function tryFault(fault: Fault, watch: AlertWatch): Trial {
  const findings = fault.alerts.map((alert): Finding => ({
    alert,
    what: fault.what,
    secondsToFire: null,
    secondsToResolve: null,
    problem: null,
  }));
  const each = (step: (finding: Finding) => Promise<void>) =>
    Promise.all(
      findings.map(async (finding) => {
        if (finding.problem !== null) return;
        await step(finding).catch((error: unknown) => {
          finding.problem = error instanceof Error ? error.message : String(error);
        });
      }),
    );

  async function breakAndMend(): Promise<{ healedAt: number; besides: string[] }> {
    await each(({ alert }) => watch.until(alert, 'quiet', QUIET_LIMIT_MS));
    const causedAt = performance.now();
    const heal = await fault.cause();
    await each(async (finding) => {
      await watch.until(finding.alert, 'firing', FIRE_LIMIT_MS);
      finding.secondsToFire = secondsSince(causedAt);
    });
    const besides = watch.firing().filter((alert) => !fault.alerts.includes(alert));
    const healedAt = performance.now();
    await heal();
    return { healedAt, besides };
  }

  const mending = breakAndMend();
  const ending = mending.then(async ({ healedAt }) => {
    await each(async (finding) => {
      await watch.until(finding.alert, 'quiet', QUIET_LIMIT_MS);
      finding.secondsToResolve = secondsSince(healedAt);
    });
    return findings;
  });
  ending.catch(() => undefined); // what failed was the mending, which tells
  return { mended: mending.then(({ besides }) => besides), findings: ending };
}

function secondsSince(at: number): number {
  return Math.round((performance.now() - at) / 1_000);
}
