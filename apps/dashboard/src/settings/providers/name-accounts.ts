import type { ProviderAccount } from '@switchboard/contracts';
import { nameOf } from './vendors.ts';

/**
 * Names accounts by their vendors, whose forms have the names. Only loaded when it is needed, so that the forms are not part of
 * the first load.
 */
export function nameAccounts(
  accounts: readonly Pick<ProviderAccount, 'id' | 'name' | 'type'>[],
): { id: string; name: string }[] {
  return accounts.map((account) => ({ id: account.id, name: nameOf(account) }));
}
