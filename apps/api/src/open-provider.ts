import type { ProviderAccount, ProviderAdapter } from '@switchboard/core';
import type { ProviderStore, StoredProvider } from '@switchboard/database';
import type { ResolveProviderAccount } from '@switchboard/providers';

export interface OpenedProvider {
  provider: StoredProvider;
  adapter: ProviderAdapter;
  account: ProviderAccount;
}

/**
 * Opens a provider account of a workspace, by default its default account; null if the workspace
 * has none, or if this version has no adapter for the type.
 *
 * @throws SecretBoxError when the credentials can't be decrypted
 */
export type OpenProvider = (
  workspaceId: string,
  providerId?: string,
) => Promise<OpenedProvider | null>;

export function createOpenProvider(dependencies: {
  providers: Pick<ProviderStore, 'find' | 'findById'>;
  resolveProviderAccount: ResolveProviderAccount;
}): OpenProvider {
  const { providers, resolveProviderAccount } = dependencies;

  async function find(workspaceId: string, providerId: string | undefined) {
    if (providerId === undefined) return providers.find(workspaceId);
    const provider = await providers.findById(providerId);
    return provider?.workspaceId === workspaceId ? provider : null;
  }

  return async function openProvider(workspaceId, providerId) {
    const provider = await find(workspaceId, providerId);
    const resolved = resolveProviderAccount(workspaceId, provider);
    if (resolved.kind === 'unusable' && resolved.reason === 'undecryptable') throw resolved.cause;
    if (resolved.kind === 'unusable' || provider === null) return null;
    return { provider, adapter: resolved.adapter, account: resolved.account };
  };
}
