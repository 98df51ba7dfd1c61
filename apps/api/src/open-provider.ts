import type { ProviderAccount, ProviderAdapter } from '@switchboard/core';
import type { ProviderStore, StoredProvider } from '@switchboard/database';
import type { ProviderRegistry } from '@switchboard/providers';
import type { SecretBox } from '@switchboard/runtime';

export interface OpenedProvider {
  provider: StoredProvider;
  adapter: ProviderAdapter;
  account: ProviderAccount;
}

/** What the associated data of a sealed auth token names, beside its workspace. */
export const AUTH_TOKEN_FIELD = 'auth_token';

export type OpenProvider = ReturnType<typeof createOpenProvider>;

/**
 * A workspace's provider, ready to be asked; null when none is configured, or one that this
 * version does not know. Throws `SecretBoxError` when the credentials can't be decrypted.
 */
export function createOpenProvider(dependencies: {
  providers: Pick<ProviderStore, 'find'>;
  registry: Pick<ProviderRegistry, 'get'>;
  secretBox: Pick<SecretBox, 'open'>;
}) {
  const { providers, registry, secretBox } = dependencies;

  return async function openProvider(workspaceId: string): Promise<OpenedProvider | null> {
    const provider = await providers.find(workspaceId);
    const adapter = provider === null ? null : registry.get(provider.type);
    if (provider === null || adapter === null) return null;
    const { accountSid, messagingServiceSid, authTokenEncrypted } = provider;
    const authToken = secretBox.open(authTokenEncrypted, { workspaceId, field: AUTH_TOKEN_FIELD });
    return { provider, adapter, account: { accountSid, authToken, messagingServiceSid } };
  };
}
