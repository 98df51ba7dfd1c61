import type { ProviderAccount } from './provider-account.ts';
import type { ProviderMessage } from './provider-message.ts';

/** What a send itself proves. */
export interface SendEvidence {
  /** The provider ignores a repeated send with the same key. */
  idempotencyKey: boolean;
  /** A status callback identifies our message, even if the response to the send was lost. */
  referenceInCallback: boolean;
}

/** The evidence of a send that the provider offers. */
export interface ProviderEvidence extends SendEvidence {
  lookUp: LookUpProof | 'none';
}

/**
 * How a lookup recognizes a message: by our reference, which is proof, or by its text, which is
 * weak evidence.
 */
export type LookUpProof = 'by_reference' | 'by_content';

/** The provider's list of sent messages. */
export interface MessageLookUp {
  readonly proof: LookUpProof;
  /**
   * Finds the outbound messages to a number since a time, on all pages, newest first. If `proof` is
   * `by_reference`, finds only the messages that carry the reference of `messageId`. Converts the provider's
   * times to the clock of this process, by the time of the response. Never throws.
   */
  findSent(
    account: ProviderAccount,
    query: { messageId: string; to: string; from: string | null; since: Date },
  ): Promise<LookUpOutcome>;
}

export type LookUpOutcome =
  | { kind: 'found'; messages: readonly ProviderMessage[] }
  /** The lookup failed, so there is no evidence either way. */
  | { kind: 'unavailable'; detail: string };

/** Reads the current state of a message by the provider's identifier. Never throws. */
export type FetchMessage = (account: ProviderAccount, sid: string) => Promise<FetchOutcome>;

export type FetchOutcome =
  | { kind: 'found'; message: ProviderMessage }
  | { kind: 'missing' }
  | { kind: 'unavailable'; detail: string };
