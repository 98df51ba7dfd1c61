import type { SendOutcome, WithheldReason } from '@switchboard/core';

/** Withholds a message that this account cannot send from the provider. Another account may send it. */
export function withholdUnsendable(
  code: Exclude<WithheldReason, 'recipient_opted_out'>,
  detail: string,
): SendOutcome {
  return { kind: 'withheld', code, detail, isAccountOnly: true };
}
