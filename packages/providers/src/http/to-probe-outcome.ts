import type { ProbeOutcome, SendOutcome } from '@switchboard/core';

const PROBE_KINDS = {
  throttled: 'throttled',
  busy: 'failed',
  credentials: 'refused',
  unreachable: 'failed',
  lease_expired: 'failed',
} as const;

/** Converts the outcome of a send that cannot create a message to the outcome of a probe. */
export function toProbeOutcome(outcome: SendOutcome): ProbeOutcome {
  switch (outcome.kind) {
    case 'accepted':
    case 'rejected':
      return { kind: 'answered' };
    case 'withheld':
    case 'unknown':
      return { kind: 'failed', detail: outcome.detail };
    case 'not_sent':
      return { kind: PROBE_KINDS[outcome.reason], detail: outcome.detail };
  }
}
