import type { DisabledReason } from './webhook-events.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A delay is extended at random by up to this fraction, so that deliveries spread out. */
const JITTER = 0.1;
/** A receiver cannot postpone deliveries for longer. */
const MAX_RETRY_AFTER_MS = HOUR;
/** An endpoint whose attempts all fail for this long is disabled. */
export const FAILING_LIMIT_MS = 5 * DAY;

/** The outcome of one attempt. `statusCode` is null if there was no complete response. */
export interface AttemptOutcome {
  statusCode: number | null;
  /** From the header `Retry-After`; null without that header. */
  retryAfterMs: number | null;
}

export function isDelivered({ statusCode }: Pick<AttemptOutcome, 'statusCode'>): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

/**
 * Returns how long to wait before the next attempt, or null if there is none. `delaysMs` has the
 * pauses after the first, second … failed attempt; once they are used up, the delivery has failed.
 * `tries` counts the attempts including this failed one. `random` is from 0 to 1.
 */
export function decideRetry(
  outcome: AttemptOutcome,
  { delaysMs, tries, random }: { delaysMs: readonly number[]; tries: number; random: number },
): { delayMs: number } | null {
  const delayMs = delaysMs[tries - 1];
  if (delayMs === undefined) return null;
  const jittered = Math.round(delayMs * (1 + JITTER * random));
  return { delayMs: Math.max(jittered, readRetryAfter(outcome) ?? 0) };
}

/** Returns the delay that a response requests. Only 429 and 503 can request one. */
export function readRetryAfter({ statusCode, retryAfterMs }: AttemptOutcome): number | null {
  if ((statusCode !== 429 && statusCode !== 503) || retryAfterMs === null) return null;
  return Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
}

/** The longest pause of a failing endpoint before it is tried with the next event. */
export const MAX_HOLD_MS = MINUTE;

/**
 * Returns how long an endpoint receives no new events after `failures` failed attempts in a row, at most
 * `maxMs`. Until then they stay in the event log, so an endpoint that is down adds one row for each
 * attempt and not one for each event. `random` is from 0 to 1.
 */
export function holdAfterFailures(
  failures: number,
  { maxMs, random }: { maxMs: number; random: number },
): number {
  const delayMs = Math.min(maxMs, SECOND * 2 ** Math.min(failures - 1, 10));
  return Math.round(delayMs * (1 - JITTER * random));
}

/** Returns why an endpoint must be disabled after a failed attempt, or null. */
export function decideDisable(
  { statusCode }: Pick<AttemptOutcome, 'statusCode'>,
  failingForMs: number,
): Exclude<DisabledReason, 'user'> | null {
  if (statusCode === 410) return 'gone';
  return failingForMs >= FAILING_LIMIT_MS ? 'failing' : null;
}
