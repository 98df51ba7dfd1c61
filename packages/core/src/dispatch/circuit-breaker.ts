import type { SendOutcome } from '../ports/send-outcome.ts';
import { type DispatchPolicy, backoffMs } from './dispatch-policy.ts';

/**
 * What one provider call says about its account, apart from the message.
 *
 *     closed ──failures in a row──▶ open ──probe answered──▶ one message ──answered──▶ closed
 *                                    ▲ └──probe failed──┐        │ failed
 *                                    └──────────────────┴────────┘
 *
 * While the breaker is open, messages wait in `ready` and only probes go out, one at a time and at
 * growing, jittered gaps. Refused credentials hold messages back in the same way. A 429 is a response
 * (`provesResponse`): it closes the breaker, and each message then waits as its own 429 requires.
 */
export type AccountSignal =
  /** The provider accepted the credentials and decided on the message. */
  | 'answered'
  /** The provider throttled the call, maybe before it checked the credentials. */
  | 'throttled'
  /** A 5xx, a timeout, a lost or refused connection. */
  | 'failed'
  /** The provider refused the credentials. */
  | 'refused'
  /** The provider was not called, because of the message or of a failure in this service. */
  | 'none';

/** Consecutive failures that open the breaker. One worker counts its own calls. */
export const FAILURES_TO_OPEN = 5;

/**
 * Returns whether the signal proves that the provider answers sends, which a breaker needs to close. It proves
 * neither that the provider accepts the credentials nor that it accepts messages: only `answered` does.
 */
export function provesResponse(signal: AccountSignal): signal is 'answered' | 'throttled' {
  return signal === 'answered' || signal === 'throttled';
}

export function readAccountSignal(outcome: SendOutcome): AccountSignal {
  switch (outcome.kind) {
    case 'accepted':
    case 'rejected':
      return 'answered';
    case 'withheld':
      return 'none';
    case 'unknown':
      return 'failed';
    case 'not_sent':
      switch (outcome.reason) {
        case 'unreachable':
          return 'failed';
        case 'throttled':
          return 'throttled';
        case 'credentials':
          return 'refused';
        case 'busy':
        case 'lease_expired':
          return 'none';
      }
  }
}

/** Returns the milliseconds to wait after probe number `probes`, counted from 1. */
export function getProbeGapMs(
  policy: DispatchPolicy,
  probes: number,
  reason: 'failing' | 'refused',
): number {
  if (reason === 'refused') return backoffMs(policy, probes, policy.credentialsBackoffMs);
  const whole = backoffMs(policy, probes, policy.backoffMs);
  return Math.min(whole, policy.probeCapMs * (0.5 + 0.5 * policy.random()));
}
