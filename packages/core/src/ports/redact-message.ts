import type { ProviderAccount } from './provider-account.ts';

/** Removes the text and the media of a message at the provider, by the provider's identifier. Never throws. */
export type RedactMessage = (account: ProviderAccount, sid: string) => Promise<RedactOutcome>;

export type RedactOutcome =
  /** The provider has no text and no media of the message, or no such message. */
  | { kind: 'redacted' }
  /** It may work later: the provider has not finished the message, refuses it for now or does not respond. */
  | { kind: 'unavailable'; detail: string };
