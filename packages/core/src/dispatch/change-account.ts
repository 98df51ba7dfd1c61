import type { DispatchRow } from './dispatch-row.ts';

/**
 * The ids of the accounts that may send a message now, by the routing of its workspace: those with a sender that
 * fits and a closed circuit breaker.
 */
export type Alternatives = readonly string[];

export const NO_ALTERNATIVES: Alternatives = [];

/**
 * Returns whether an account other than the latest may send the message. It may if every earlier
 * attempt has certainly not sent the message: the connection or the credentials were refused, the
 * provider throttled the account, the refusal concerned only the account, or a lookup by reference
 * found nothing after the hold. A resend after a lookup by text stays with its account, because
 * such a lookup is weak evidence.
 */
export function mayChangeAccount(row: Pick<DispatchRow, 'resends' | 'provedResends'>): boolean {
  return row.resends === row.provedResends;
}

/**
 * Decides whether to try another account after an attempt that certainly sent nothing. Returns the
 * accounts that have failed by then, or null if no other account is left.
 */
export function changeAccount(
  row: DispatchRow,
  alternatives: Alternatives,
): readonly string[] | null {
  const { providerId, failedAccounts } = row;
  if (providerId === null || !mayChangeAccount(row)) return null;
  const failed = [...new Set([...failedAccounts, providerId])];
  return alternatives.some((id) => !failed.includes(id)) ? failed : null;
}
