import type { ProbeOutcome, ProviderAccount } from '@switchboard/core';

import { toProbeOutcome } from '../http/to-probe-outcome.ts';
import { classifySend } from './classify-send.ts';
import type { AccountOpener, OpenAccount } from './open-account.ts';

/**
 * Sends a message without a recipient, which Twilio refuses with 21604. Only the
 * resource that creates messages can show that sending works: reads still work during many outages.
 */
export async function probeAccount(
  openAccount: AccountOpener,
  account: ProviderAccount,
): Promise<ProbeOutcome> {
  let opened: OpenAccount | null = null;
  let words = 'The account SID or the auth token is malformed.';
  try {
    opened = openAccount(account);
    await opened.client.messages.create({ to: '', body: '' });
  } catch (error) {
    // The client throws for every response that is not a message; the outcome says which response it
    // was.
    if (error instanceof Error) words = error.message;
  }
  const last = opened?.lastOutcome() ?? null;
  // The client rejected the account SID or the auth token before it made a request.
  if (last === null) return { kind: 'refused', detail: words };
  return toProbeOutcome(classifySend(last, Date.now()));
}
