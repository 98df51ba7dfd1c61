import type { InboundResult, ProviderAccount } from '@switchboard/core';

import { callAccount } from './call-account.ts';
import { toNumberWebhook } from './number-webhook.ts';
import type { AccountOpener } from './open-account.ts';

/** Sets `url` as the webhook for a number's inbound messages, in place of an SMS application. */
export async function configureInbound(
  openAccount: AccountOpener,
  account: ProviderAccount,
  number: string,
  url: string,
): Promise<InboundResult> {
  const response = await callAccount(openAccount, account, async (client) => {
    const page = await client.incomingPhoneNumbers.page({ phoneNumber: number, pageSize: 20 });
    // The filter also matches parts of numbers.
    const owned = page.instances.find((candidate) => candidate.phoneNumber === number);
    if (owned === undefined) return false;
    await client.incomingPhoneNumbers(owned.sid).update(toNumberWebhook(url));
    return true;
  });
  if (response.kind === 'answered') return response.value ? 'configured' : 'not_owned';
  return 'unavailable';
}
