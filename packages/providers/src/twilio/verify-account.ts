import type { AccountCheck, ProviderAccount } from '@switchboard/core';

import { callAccount } from './call-account.ts';
import type { AccountOpener } from './open-account.ts';

/** Checks whether the account can send, with a sentence for the workspace owner. */
export async function verifyAccount(
  openAccount: AccountOpener,
  account: ProviderAccount,
): Promise<AccountCheck> {
  const response = await callAccount(openAccount, account, (client) =>
    client.api.v2010.accounts(account.vendorAccountId).fetch(),
  );
  switch (response.kind) {
    case 'answered': {
      const { status, friendlyName } = response.value;
      if (status === 'active') {
        return {
          ok: true,
          isRefused: false,
          isUnavailable: false,
          detail: `The Twilio account “${friendlyName}” is active.`,
        };
      }
      return {
        ok: false,
        isRefused: false,
        isUnavailable: false,
        detail: `The Twilio account is ${status}.`,
      };
    }
    case 'refused':
      return response.status === 401 || response.status === 404
        ? {
            ok: false,
            isRefused: true,
            isUnavailable: false,
            detail: `Twilio refused the account SID or the auth token: ${response.detail}`,
          }
        : {
            ok: false,
            isRefused: false,
            isUnavailable: false,
            detail: `Twilio refused: ${response.detail}`,
          };
    case 'unavailable':
      return {
        ok: false,
        isRefused: false,
        isUnavailable: true,
        detail: `Twilio is unavailable: ${response.detail}`,
      };
  }
}
