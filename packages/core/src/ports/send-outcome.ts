import type { ProviderMessage } from './provider-message.ts';

/** Why the service does not call the provider for a message: the error code of the message. */
export type WithheldReason =
  | 'recipient_opted_out'
  | 'no_sender'
  | 'media_not_supported'
  | 'text_not_in_charset';

/**
 * The outcome of a send call. The important distinction is between `not_sent`, which is certain, and
 * `unknown`, which covers every uncertain outcome.
 */
export type SendOutcome =
  | { kind: 'accepted'; message: ProviderMessage }
  /** Certainly not sent. The same call may succeed later. */
  | {
      kind: 'not_sent';
      reason: NotSentReason;
      retryAfterMs: number | null;
      code: string | null;
      detail: string;
    }
  /** Certainly not sent, and the same call would be rejected again. */
  | {
      kind: 'rejected';
      code: string;
      detail: string;
      isOptOut: boolean;
      /**
       * The refusal concerns only this account, for example because it has no route to the recipient.
       * Another account may send the message.
       */
      isAccountOnly?: true;
    }
  /** Certainly not sent: the service did not call the provider, and would not call it again. */
  | {
      kind: 'withheld';
      code: WithheldReason;
      detail: string;
      /** Another account may send the message. */
      isAccountOnly?: true;
    }
  /** The provider may or may not have accepted the message. */
  | {
      kind: 'unknown';
      detail: string;
      /** The response belonged to another request. An operator has to find the cause. */
      isMismatched?: true;
    };

/** The outcome of a call with the account that made it. */
export type CallOutcome =
  | Exclude<SendOutcome, { kind: 'accepted' }>
  | { kind: 'accepted'; message: ProviderMessage & { providerId: string } };

export type NotSentReason =
  /** There was no connection: refused, name not resolved, TLS failed or connect timeout. */
  | 'unreachable'
  /** Aborted before the request was written, because too little time was left of the lease. */
  | 'lease_expired'
  /** 429, or the sender's queue at the provider is full. */
  | 'throttled'
  /** Earlier messages of the account must be responded to first, so the provider was not called. */
  | 'busy'
  /** The provider refused the account's credentials. The owner of the account must correct them. */
  | 'credentials';

/** The result of a probe of an account. */
export type ProbeOutcome =
  /** The provider responds to sends. */
  | { kind: 'answered' }
  /** The provider throttles the account, maybe before it checked the credentials. */
  | { kind: 'throttled'; detail: string }
  /** The provider refuses the credentials. */
  | { kind: 'refused'; detail: string }
  /** A 5xx, a timeout, no connection, or a response that is not from the provider. */
  | { kind: 'failed'; detail: string };
