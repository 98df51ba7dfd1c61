/** The times dispatch keeps; all in milliseconds. */
export interface DispatchPolicy {
  /** Gaps before each look-up of an unknown outcome; the hold is their sum. */
  unknownLookupsMs: readonly number[];
  /** Gaps before each poll of a message that stays unfinished at the provider. */
  pollsMs: readonly number[];
  /** First backoff after a call that surely did not send; doubles with every attempt. */
  backoffMs: number;
  backoffCapMs: number;
  /** The same where the account's credentials were refused: it waits for its owner. */
  credentialsBackoffMs: number;
  /** The longest gap between two probes of an account whose circuit breaker is open. */
  probeCapMs: number;
  /** A message that could not be sent for so long, counted from its first attempt, fails. */
  giveUpAfterMs: number;
  /** From 0 to 1; spreads retries. */
  random(): number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The policy of a process; times are counted from the start of the hold, as settings give them. */
export function createDispatchPolicy(settings: {
  unknownLookupsMs: readonly number[];
  pollsMs: readonly number[];
}): DispatchPolicy {
  return {
    unknownLookupsMs: gapsOf(settings.unknownLookupsMs),
    pollsMs: gapsOf(settings.pollsMs),
    backoffMs: SECOND_MS,
    backoffCapMs: 5 * MINUTE_MS,
    credentialsBackoffMs: MINUTE_MS,
    probeCapMs: MINUTE_MS,
    giveUpAfterMs: 24 * HOUR_MS,
    random: Math.random,
  };
}

/** Exponential with jitter between half and the whole. */
export function backoffMs(policy: DispatchPolicy, attempt: number, firstMs: number): number {
  const whole = Math.min(policy.backoffCapMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(whole * (0.5 + 0.5 * policy.random()));
}

/**
 * Times counted from the start of the hold (`120000,240000,600000`) as gaps between look-ups.
 */
export function gapsOf(timesMs: readonly number[]): number[] {
  return timesMs.map((time, index) => time - (timesMs[index - 1] ?? 0));
}
