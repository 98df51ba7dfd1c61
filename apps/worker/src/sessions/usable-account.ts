import type { SessionAccount } from '@switchboard/database';
import type { ResolvedAccount } from '@switchboard/providers';

/** An account whose credentials are readable and whose adapter has sessions. */
export type UsableAccount = SessionAccount & {
  resolved: Extract<ResolvedAccount, { kind: 'resolved' }>;
};

/** Returns how many sessions all workers together may hold for the account. */
export function countPlaces({ adapter, account }: UsableAccount['resolved']): number {
  return adapter.sessions?.maxSessions(account) ?? 0;
}
