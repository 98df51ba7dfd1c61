import type { ProviderAccount } from '@switchboard/core';
import type { Twilio } from 'twilio';
import { readText } from '../http/read-text.ts';
import { readProblem } from './classify-send.ts';
import type { AccountOpener, OpenAccount } from './open-account.ts';

export type TwilioResponse<T> =
  | { kind: 'answered'; value: T }
  /** Twilio refused the request. */
  | { kind: 'refused'; status: number; code: string | null; detail: string }
  /** No response, a malformed response, or a response that is not Twilio's: it proves nothing. */
  | { kind: 'unavailable'; detail: string };

/** Makes a Twilio request that changes no message. Never throws. */
export async function callAccount<T>(
  openAccount: AccountOpener,
  account: ProviderAccount,
  call: (client: Twilio, opened: OpenAccount) => Promise<T>,
): Promise<TwilioResponse<T>> {
  let opened: OpenAccount | null = null;
  try {
    opened = openAccount(account);
    return { kind: 'answered', value: await call(opened.client, opened) };
  } catch (error) {
    const outcome = opened?.lastOutcome() ?? null;
    const message = readText(error instanceof Error ? error.message : String(error)) ?? '';
    // No request was made: the client rejected the account SID or the auth token.
    if (outcome === null) return { kind: 'refused', status: 401, code: null, detail: message };
    if (outcome.kind !== 'answered') return { kind: 'unavailable', detail: outcome.detail };
    const { status } = outcome;
    const { code, detail: words } = readProblem(outcome);
    const detail = words ?? `Twilio responded with ${status}.`;
    if (status === 401 || (status >= 400 && status < 500 && status !== 429 && code !== null)) {
      return { kind: 'refused', status, code, detail };
    }
    return {
      kind: 'unavailable',
      detail: status < 300 ? `The response with status ${status} is malformed: ${message}` : detail,
    };
  }
}
