import type { DescribedCredentials } from '@switchboard/core';
import type { StoredProvider } from '@switchboard/database';
import type { ResolveProviderAccount } from '@switchboard/providers';

export type DescribeCredentials = (provider: StoredProvider) => DescribedCredentials;

/** Creates the description of stored credentials, without secrets. It is empty if no key decrypts them. */
export function createDescribeCredentials(
  resolveProviderAccount: ResolveProviderAccount,
): DescribeCredentials {
  return function describeCredentials(provider) {
    const resolved = resolveProviderAccount(provider.workspaceId, provider);
    return resolved.kind === 'resolved'
      ? resolved.adapter.describeCredentials(resolved.account)
      : {};
  };
}
