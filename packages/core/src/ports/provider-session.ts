import type { InboundMessage } from './inbound-message.ts';
import type { AccountAddress, ProviderAccount } from './provider-account.ts';
import type { StatusCallback } from './status-callback.ts';

/**
 * Connections that a worker keeps open to an account, because its provider accepts sends and
 * delivers callbacks over them. A worker opens one only under a lease, so that all workers together
 * hold no more than the provider allows.
 */
export interface ProviderSessions {
  /** How many sessions all workers together may hold for the account: at least 1. */
  maxSessions(account: ProviderAccount): number;
  /**
   * Opens a session and keeps it open: it connects again, with growing pauses, until it is closed.
   * `send` and `probe` of this adapter use the account's open sessions, and without one they report
   * that the account is unreachable. Returns before the session is bound. Never throws.
   */
  open(
    account: ProviderAccount,
    receiver: SessionReceiver,
    /**
     * Whether this process still holds the lease. Must be checked immediately before each message is
     * written: if it is false, nothing is written, and the outcome is `not_sent` with `lease_expired`.
     */
    isHeld: () => boolean,
  ): ProviderSession;
  /**
   * Decodes the `content` of consecutive parts of a long message together, because a character may be split
   * between two of them.
   */
  decodeParts(contents: readonly string[]): string;
  /**
   * Returns the key (`toSidKey`) of the identifier in the response to a message whose receipt names `sid`, by
   * the account's settings.
   */
  toExpectedKey(account: ProviderAccount, sid: string): string;
}

export interface ProviderSession {
  readonly state: ProviderSessionState;
  /**
   * Sends nothing more from the moment of the call, waits at most `graceMs` for the responses to what it
   * has sent, and closes the connection. With 0, it closes the connection immediately. Never throws.
   */
  close(graceMs: number): Promise<void>;
}

export type ProviderSessionState =
  /**
   * Not bound yet, or no longer bound. `detail` is the reason of the last failure; null at the
   * start.
   */
  | { kind: 'connecting'; detail: string | null }
  /** Messages can be sent and received. */
  | { kind: 'bound' }
  /** The provider refuses the credentials. The session tries again, with long pauses. */
  | { kind: 'refused'; detail: string }
  | { kind: 'closed' };

/** One part of a long message, by the numbers in its header. */
export interface InboundPart {
  /** The sender's number for the whole message. It is used again after a while. */
  reference: number;
  /** The number of parts. */
  total: number;
  /** Counts from 1. */
  sequence: number;
  /** The part as it arrived, in the adapter's own format, which `decodeParts` reads. */
  content: string;
}

/** A received message, or a part of one, in a session. */
export interface SessionInbound {
  /** `sid` is the provider's identifier, or null if it has none. */
  message: Omit<InboundMessage, 'sid' | 'vendorAccountId'> & { sid: string | null };
  /** The time of receipt that the provider states; null if it states none. */
  providerTimestamp: string | null;
  part: InboundPart | null;
}

/** What a provider delivers and the service cannot read completely. */
export interface DeliveryProblem {
  /**
   * `unknown_state`: a receipt that names its message, with a state that the adapter does not know. The message's
   * timeline shows it. `unreadable_receipt`: a receipt that names no message. `unreadable_message`: a message
   * without its addresses. These two are lost. `unread_number`: a stored message with a number that stays as it came.
   */
  kind: 'unknown_state' | 'unreadable_receipt' | 'unreadable_message' | 'unread_number';
  /** For the account's owner, for example the state in the provider's words. */
  example: string;
}

/** Counts and logs a problem, and shows it at the account. Never throws. */
export type ReportProblem = (account: AccountAddress, problem: DeliveryProblem) => void;

/** Stores what the provider delivers in a session. */
export interface SessionReceiver {
  /**
   * Stores a delivery receipt. The session acknowledges it only after this resolves. If it rejects,
   * the session responds with a temporary error, so that the provider delivers it again.
   */
  onStatus(callback: StatusCallback): Promise<void>;
  /**
   * Stores a received message, or a part of one. The session acknowledges it under the same rule.
   */
  onInbound(inbound: SessionInbound): Promise<void>;
  /** Counts and logs a problem, and shows it at the account. Never throws. */
  onProblem(problem: DeliveryProblem): void;
  /** Called after each change of `state`. */
  onStateChange(state: ProviderSessionState): void;
}
