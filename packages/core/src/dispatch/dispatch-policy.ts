/** The intervals and limits of dispatch, in milliseconds. */
export interface DispatchPolicy {
  /** The gap before each lookup of an unknown outcome; the hold is the sum of the gaps. */
  unknownLookupsMs: readonly number[];
  /** For how long after the hold a late report may decide, if nothing can be looked up. */
  unknownReceiptMs: number;
  /** The gap before each poll of a message that stays unfinished at the provider. */
  pollsMs: readonly number[];
  /**
   * The first backoff after a call that did not send the message. It doubles with every attempt.
   */
  backoffMs: number;
  backoffCapMs: number;
  /**
   * The first backoff after refused credentials, which the owner of the workspace has to correct.
   */
  credentialsBackoffMs: number;
  /** The longest gap between two probes of an account whose circuit breaker is open. */
  probeCapMs: number;
  /** A message fails if it could not be sent for this long since its first attempt. */
  giveUpAfterMs: number;
  /** Returns a number from 0 to 1 that spreads retries. */
  random(): number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Creates the policy of a process. The settings count times from the start of the hold. */
export function createDispatchPolicy(settings: {
  unknownLookupsMs: readonly number[];
  /** Default: none. */
  unknownReceiptMs?: number;
  pollsMs: readonly number[];
}): DispatchPolicy {
  return {
    unknownLookupsMs: gapsOf(settings.unknownLookupsMs),
    unknownReceiptMs: settings.unknownReceiptMs ?? 0,
    pollsMs: gapsOf(settings.pollsMs),
    backoffMs: SECOND_MS,
    backoffCapMs: 5 * MINUTE_MS,
    credentialsBackoffMs: MINUTE_MS,
    probeCapMs: MINUTE_MS,
    giveUpAfterMs: 24 * HOUR_MS,
    random: Math.random,
  };
}

/** Returns an exponential backoff: a random time between half of the value and the full value. */
export function backoffMs(policy: DispatchPolicy, attempt: number, firstMs: number): number {
  const whole = Math.min(policy.backoffCapMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(whole * (0.5 + 0.5 * policy.random()));
}

/**
 * Converts times from the start of the hold (`120000,240000,600000`) into gaps between lookups.
 */
export function gapsOf(timesMs: readonly number[]): number[] {
  return timesMs.map((time, index) => time - (timesMs[index - 1] ?? 0));
}
