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
  const answer = await callAccount(openAccount, account, (client) => client.messages(sid).fetch());
  if (answer.kind === 'answered') {
    const message = toProviderMessage(answer.value);
    if (message !== null) return { kind: 'found', message };
    return { kind: 'unavailable', detail: 'The response contains no message.' };
  }
  if (answer.kind === 'refused' && answer.status === 404) return { kind: 'missing' };
  return { kind: 'unavailable', detail: answer.detail };
}
