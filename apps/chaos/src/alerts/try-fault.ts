import type { Fault } from './fault.ts';
import type { AlertWatch } from './watch-alerts.ts';

/** The behavior of one alert when its fault was caused and removed. */
export interface Finding {
  alert: string;
  what: string;
  /** Null if the alert did not fire or did not resolve. */
  secondsToFire: number | null;
  secondsToResolve: number | null;
  problem: string | null;
}

/**
 * The longest shortened window (120 s) and the effects of a removed fault: a call in flight, its last
 * lookup and a late acceptance (35 s), and a sweep, a scrape and an evaluation for each.
 */
const QUIET_LIMIT_MS = 165_000;
/** Longer than the thresholds, which are not shortened. */
const FIRE_LIMIT_MS = 200_000;

export interface Trial {
  /**
   * Resolves when the fault is removed, although its alerts may still be firing. The value is the names
   * of the other alerts that were firing, because of this fault or of a concurrent one.
   */
  removed: Promise<string[]>;
  findings: Promise<Finding[]>;
}

/** Causes a fault when none of its alerts is firing, removes it when all are, and waits until they resolve. */
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

  async function causeAndRemove(): Promise<{ removedAt: number; others: string[] }> {
    await each(({ alert }) => watch.until(alert, 'quiet', QUIET_LIMIT_MS));
    const causedAt = performance.now();
    const heal = await fault.cause();
    await each(async (finding) => {
      await watch.until(finding.alert, 'firing', FIRE_LIMIT_MS);
      finding.secondsToFire = secondsSince(causedAt);
    });
    const others = watch.firing().filter((alert) => !fault.alerts.includes(alert));
    const removedAt = performance.now();
    await heal();
    return { removedAt, others };
  }

  const removing = causeAndRemove();
  const ending = removing.then(async ({ removedAt }) => {
    await each(async (finding) => {
      await watch.until(finding.alert, 'quiet', QUIET_LIMIT_MS);
      finding.secondsToResolve = secondsSince(removedAt);
    });
    return findings;
  });
  ending.catch(() => undefined); // `removed` rejects with the same error.
  return { removed: removing.then(({ others }) => others), findings: ending };
}

function secondsSince(at: number): number {
  return Math.round((performance.now() - at) / 1_000);
}
