import type { ProviderAccount, RedactOutcome } from '@switchboard/core';

import { type TwilioResponse, callAccount } from './call-account.ts';
import type { AccountOpener } from './open-account.ts';

const REDACTED = { kind: 'redacted' } as const;

/**
 * Deletes the media of a message and empties its text. Twilio keeps the record, with the numbers and the price, and refuses
 * this until the message has a final status.
 */
export async function redactMessage(
  openAccount: AccountOpener,
  account: ProviderAccount,
  sid: string,
): Promise<RedactOutcome> {
  const media = await callAccount(openAccount, account, (client) =>
    client.messages(sid).media.list(),
  );
  if (isMissing(media)) return REDACTED;
  if (media.kind !== 'answered') return { kind: 'unavailable', detail: media.detail };
  for (const { sid: mediaSid } of media.value) {
    const removed = await callAccount(openAccount, account, (client) =>
      client.messages(sid).media(mediaSid).remove(),
    );
    if (removed.kind !== 'answered' && !isMissing(removed)) {
      return { kind: 'unavailable', detail: removed.detail };
    }
  }
  const emptied = await callAccount(openAccount, account, (client) =>
    client.messages(sid).update({ body: '' }),
  );
  if (emptied.kind === 'answered' || isMissing(emptied)) return REDACTED;
  return { kind: 'unavailable', detail: emptied.detail };
}

const isMissing = (response: TwilioResponse<unknown>): boolean =>
  response.kind === 'refused' && response.status === 404;
