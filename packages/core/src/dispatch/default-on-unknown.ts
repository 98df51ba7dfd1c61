import type { ProviderEvidence } from '../ports/message-look-up.ts';
import type { ProviderAdapter } from '../ports/provider-adapter.ts';
import type { OnUnknown } from './dispatch-row.ts';

/**
 * Returns what happens to messages with an unresolved outcome if the owner of the account chooses
 * nothing. A provider without any evidence of a send can't show that a message was not sent, so a
 * resend may send it twice.
 */
export function defaultOnUnknown(evidence: ProviderEvidence): OnUnknown {
  const { idempotencyKey, referenceInCallback, lookUp } = evidence;
  return idempotencyKey || referenceInCallback || lookUp !== 'none' ? 'resend' : 'fail';
}

/** Returns the evidence of a send that an adapter offers. */
export function evidenceOf(
  adapter: Pick<ProviderAdapter, 'evidence' | 'lookUp'>,
): ProviderEvidence {
  return { ...adapter.evidence, lookUp: adapter.lookUp?.proof ?? 'none' };
}
