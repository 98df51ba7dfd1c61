import type { AccountVerdict } from '@switchboard/core';
import type { ProviderStore } from '@switchboard/database';
import type { OpenedProvider } from './open-provider.ts';

export type VerifyCredentials = ReturnType<typeof createVerifyCredentials>;

/** Asks the provider whether the account can send, and records that it accepts the credentials. */
export function createVerifyCredentials(providers: Pick<ProviderStore, 'recordSuccess'>) {
  return async function verifyCredentials(opened: OpenedProvider): Promise<AccountVerdict> {
    const { adapter, account, provider } = opened;
    const verdict = await adapter.verifyAccount(account);
    const { workspaceId, authTokenEncrypted } = provider;
    if (verdict.ok) await providers.recordSuccess({ workspaceId, authTokenEncrypted });
    return verdict;
  };
}
