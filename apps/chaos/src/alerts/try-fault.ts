import type { Fault } from './fault.ts';
import type { AlertWatch } from './watch-alerts.ts';

/** What one alert did when its fault was caused and mended. */
export interface Finding {
  alert: string;
  what: string;
  /** Null where it did not come to it. */
  secondsToFire: number | null;
  secondsToResolve: number | null;
  /** What else was firing by then, for this fault or for one at the same time. */
  besides: readonly string[];
  problem: string | null;
}

/** Longer than the longest window, shortened, and than the thresholds, which are not. */
const QUIET_LIMIT_MS = 150_000;
const FIRE_LIMIT_MS = 200_000;

export interface Trial {
  /** The fault is mended; the alerts may still have to end. */
  mended: Promise<void>;
  findings: Promise<Finding[]>;
}

/** Causes a fault once none of its alerts is firing, mends it when all are, and waits for their end. */
export function tryFault(fault: Fault, watch: AlertWatch): Trial {
  const findings = fault.alerts.map((alert): Finding => ({
    alert,
    what: fault.what,
    secondsToFire: null,
    secondsToResolve: null,
    besides: [],
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

  async function breakAndMend(): Promise<number> {
    await each(({ alert }) => watch.until(alert, 'quiet', QUIET_LIMIT_MS));
    const causedAt = performance.now();
    const heal = await fault.cause();
    await each(async (finding) => {
      await watch.until(finding.alert, 'firing', FIRE_LIMIT_MS);
      finding.secondsToFire = secondsSince(causedAt);
    });
    for (const finding of findings) {
      finding.besides = watch.firing().filter((alert) => !fault.alerts.includes(alert));
    }
    const healedAt = performance.now();
    await heal();
    return healedAt;
  }

  const mending = breakAndMend();
  return {
    mended: mending.then(() => undefined),
    findings: mending.then(async (healedAt) => {
      await each(async (finding) => {
        await watch.until(finding.alert, 'quiet', QUIET_LIMIT_MS);
        finding.secondsToResolve = secondsSince(healedAt);
      });
      return findings;
    }),
  };
}

function secondsSince(at: number): number {
  return Math.round((performance.now() - at) / 1_000);
}
