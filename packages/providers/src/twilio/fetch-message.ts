import type { FetchOutcome, ProviderAccount } from '@switchboard/core';

import { callAccount } from './call-account.ts';
import type { AccountOpener } from './open-account.ts';
import { toProviderMessage } from './provider-message.ts';

/** Fetches the current state of a message at Twilio. Returns `missing` only if Twilio reports 404. */
export async function fetchMessage(
  openAccount: AccountOpener,
  account: ProviderAccount,
  sid: string,
): Promise<FetchOutcome> {
  const response = await callAccount(openAccount, account, (client) =>
    client.messages(sid).fetch(),
  );
  if (response.kind === 'answered') {
    const message = toProviderMessage(response.value);
    if (message !== null) return { kind: 'found', message };
    return { kind: 'unavailable', detail: 'The response contains no message.' };
  }
  if (response.kind === 'refused' && response.status === 404) return { kind: 'missing' };
  return { kind: 'unavailable', detail: response.detail };
}
