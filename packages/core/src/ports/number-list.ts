import type { SenderKind } from '../routing/sender-kind.ts';
import type { ProviderAccount } from './provider-account.ts';

/** A number in the provider's list. */
export interface ListedNumber {
  /** In E.164 format. */
  number: string;
  kind: SenderKind;
  /** The name that its owner gave it at the provider; may be empty. */
  label: string;
  /** What it can send and receive; empty for a number that supports no messages. */
  capabilities: readonly ('sms' | 'mms')[];
  /** Where the provider sends its inbound messages: to the given URL, elsewhere or nowhere. */
  inbound: 'here' | 'elsewhere' | 'nowhere';
  /** The URL of `elsewhere`, if the provider shows one. It may contain secrets of another service. */
  inboundUrl: string | null;
}

export type ListedNumbers =
  | {
      kind: 'read';
      numbers: readonly ListedNumber[];
      /** False if the account has more numbers than the adapter reads. */
      isComplete: boolean;
    }
  /** The provider refused the request. `detail` is a sentence for the workspace owner. */
  | { kind: 'refused'; detail: string }
  | { kind: 'unavailable'; detail: string };

/** An adapter reads at most this many numbers from the list of an account. */
export const MAX_LISTED_NUMBERS = 5_000;

/**
 * Reads all numbers of the account, on all pages, and compares where each sends its inbound messages
 * with a URL from `toInboundUrl`, which is empty if the provider calls no webhooks. Omits entries that are not
 * phone numbers. Never throws.
 */
export type ListNumbers = (account: ProviderAccount, url: string) => Promise<ListedNumbers>;

/** Sets the URL for the inbound messages of a number. Never throws. */
export type ConfigureInbound = (
  account: ProviderAccount,
  number: string,
  url: string,
) => Promise<InboundResult>;

export type InboundResult =
  | 'configured'
  /** The account does not have the number. */
  | 'not_owned'
  /** Only the account's owner can configure it, in the provider's own console. */
  | 'manual'
  /** The provider did not respond, or refused the change. */
  | 'unavailable';
