import type { SendOutcome } from '@switchboard/core';

/** Why an adapter cannot send a message that another one may be able to send. */
type Reason = 'no_sender' | 'media_not_supported';

/** Rejects a message without a request to the provider. Another account may send it. */
export function rejectUnsendable(code: Reason, detail: string): SendOutcome {
  return { kind: 'rejected', code, detail, isOptOut: false, isAccountOnly: true };
}
