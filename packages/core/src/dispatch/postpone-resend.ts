import type { DispatchPolicy } from './dispatch-policy.ts';
import { type Decision, type DispatchRow, createChange } from './dispatch-row.ts';

/** Returns whether the decision on an unknown outcome is to resend the message. */
export function isResend(row: DispatchRow, { change }: Decision): boolean {
  return row.dispatch === 'unknown' && change !== null && change.next.resends > row.resends;
}

/**
 * Keeps the row `unknown` while the provider does not respond, instead of resending it. The outcome of
 * the only resend would be unknown like that of the first attempt, and the message would fail. The next
 * lookup decides.
 */
export function postponeResend(row: DispatchRow, policy: DispatchPolicy): Decision {
  const holdLookups = policy.unknownLookupsMs.length;
  const isFirstTime = row.lookups < holdLookups;
  return createChange(row, {
    fields: { lookups: holdLookups },
    dueInMs: Math.min(policy.unknownLookupsMs.at(-1) ?? 0, policy.probeCapMs),
    // An outage may last for days. One event in the timeline is enough.
    event: isFirstTime
      ? {
          type: 'outcome_unknown',
          detail: 'Not found at the provider. The resend waits until the provider answers again.',
        }
      : null,
  });
}
