import type { ProviderAccount } from '@switchboard/core';
import type { RowProvider } from '@switchboard/database';
import { type SecretBox, SecretBoxError } from '@switchboard/runtime';

export type OpenedAccount =
  | { account: ProviderAccount; type: string }
  /** Why there is no account to use, in words for the message's timeline. */
  | { account: null; detail: string };

type Sealed = Pick<
  RowProvider,
  'type' | 'accountSid' | 'authTokenEncrypted' | 'messagingServiceSid'
>;

export type OpenAccount = (workspaceId: string, provider: Sealed | null) => OpenedAccount;

/** Opens the provider account of a workspace. Never throws: what is wrong is the owner's to mend. */
export function createOpenAccount(secretBox: Pick<SecretBox, 'open'>): OpenAccount {
  return function openAccount(workspaceId, provider) {
    if (provider === null) {
      return { account: null, detail: 'The workspace has no provider configured any more' };
    }
    try {
      const authToken = secretBox.open(provider.authTokenEncrypted, {
        workspaceId,
        field: 'auth_token',
      });
      const { type, accountSid, messagingServiceSid } = provider;
      return { type, account: { accountSid, authToken, messagingServiceSid } };
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      return {
        account: null,
        detail: `The provider’s token can’t be decrypted: ${error.message}`,
      };
    }
  };
}
