import type { ProviderAccount, ProviderAdapter } from '@switchboard/core';
import type { ProviderStore, StoredProvider } from '@switchboard/database';
import type { ResolveProviderAccount } from '@switchboard/providers';

export interface OpenedProvider {
  provider: StoredProvider;
  adapter: ProviderAdapter;
  account: ProviderAccount;
}

/**
 * Opens a workspace's provider; null when none is configured, or one that this version has no adapter
 * for.
 *
 * @throws SecretBoxError when the credentials can't be decrypted
 */
export type OpenProvider = (workspaceId: string) => Promise<OpenedProvider | null>;

export function createOpenProvider(dependencies: {
  providers: Pick<ProviderStore, 'find'>;
  resolveProviderAccount: ResolveProviderAccount;
}): OpenProvider {
  const { providers, resolveProviderAccount } = dependencies;

  return async function openProvider(workspaceId) {
    const provider = await providers.find(workspaceId);
    const resolved = resolveProviderAccount(workspaceId, provider);
    if (resolved.kind === 'unusable' && resolved.reason === 'undecryptable') throw resolved.cause;
    if (resolved.kind === 'unusable' || provider === null) return null;
    return { provider, adapter: resolved.adapter, account: resolved.account };
  };
}
