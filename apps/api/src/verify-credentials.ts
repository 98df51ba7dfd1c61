import type { AccountCheck } from '@switchboard/core';
import type { ProviderStore } from '@switchboard/database';
import type { OpenedProvider } from './open-provider.ts';

export type VerifyCredentials = ReturnType<typeof createVerifyCredentials>;

/** Checks with the provider whether the account can send, and records accepted credentials. */
export function createVerifyCredentials(providers: Pick<ProviderStore, 'recordSuccess'>) {
  return async function verifyCredentials(opened: OpenedProvider): Promise<AccountCheck> {
    const { adapter, account, provider } = opened;
    const check = await adapter.verifyAccount(account);
    const { workspaceId, sealedSecret } = provider;
    if (check.ok) await providers.recordSuccess({ workspaceId, sealedSecret });
    return check;
  };
}
