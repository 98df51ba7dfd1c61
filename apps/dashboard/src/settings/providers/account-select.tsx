import type { ProviderAccount } from '@switchboard/contracts';
import type { ComponentProps } from 'react';
import { nameOf } from './vendors.ts';

/** Chooses one of the provider accounts. */
export function AccountSelect({
  accounts,
  ...rest
}: ComponentProps<'select'> & { accounts: readonly ProviderAccount[] }) {
  return (
    <select {...rest}>
      {accounts.map((account) => (
        <option key={account.id} value={account.id}>
          {nameOf(account)}
        </option>
      ))}
    </select>
  );
}
