import type { ProviderReport } from '../dispatch/evidence.ts';

/** The content of a status callback. */
export interface StatusCallback extends ProviderReport {
  /** Our message, if the callback's URL or content identifies it, and otherwise null. */
  messageId: string | null;
  /** Set if the provider may write the identifier differently, or give it to several messages. */
  match?: IdentifierMatch;
}

/** How the message of a callback is found by `chooseHolder`. */
export interface IdentifierMatch {
  /** The key (`toSidKey`) of the identifier that the account's settings expect for the message. */
  expectedKey: string;
  /** The addresses of the callback, as the provider writes them. One of them may be the recipient. */
  addresses: readonly string[];
}
