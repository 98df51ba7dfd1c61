import type { AccountCheck } from './account-check.ts';
import type { InboundList } from './inbound-list.ts';
import type { FetchMessage, MessageLookUp, SendEvidence } from './message-look-up.ts';
import type { ConfigureInbound, ListNumbers } from './number-list.ts';
import type { ProviderAccount } from './provider-account.ts';
import type { ProviderSessions } from './provider-session.ts';
import type { FetchMedia, ProviderWebhooks } from './provider-webhooks.ts';
import type { RedactMessage } from './redact-message.ts';
import type { ProbeOutcome, SendOutcome } from './send-outcome.ts';

/**
 * The field that a sealed secret is bound to, in addition to its workspace. It never changes, because
 * every stored secret is bound to it.
 */
export const SECRET_FIELD = 'auth_token';

/** Credentials as an owner enters them, in the form in which they are stored. */
export interface NewCredentials {
  account: ProviderAccount;
  /** The last characters of the secret, for its owner to recognize. Empty for a short secret. */
  secretLast4: string;
}

/** The credentials of an account by their names in a request, without secrets. */
export type DescribedCredentials = Readonly<Record<string, string | number | boolean | null>>;

export interface SendRequest {
  messageId: string;
  /**
   * 1 for the first provider call. The callback's URL contains it, so evidence identifies its attempt.
   */
  attempt: number;
  to: string;
  /** Null if the account's sender pool selects the sender. */
  from: string | null;
  body: string;
  mediaUrls: readonly string[];
  /** Where the provider reports the status of the message; empty if it calls no webhooks. */
  statusUrl: string;
}

/**
 * Our code for one vendor. The vendor's terms must not appear outside its folder. Every adapter sends; what else a
 * vendor can do is a part of its own, which is null for a vendor that cannot.
 */
export interface ProviderAdapter {
  /** The name in a workspace's provider configuration and in the paths of its webhooks. */
  readonly type: string;
  readonly evidence: SendEvidence;
  /**
   * Whether an accepted call proves the id of the account, and not only its secret. If not, only
   * `verifyAccount` may mark the account as verified.
   */
  readonly callsProveAccount: boolean;
  /**
   * Whether the provider sends media. If not, a message with media goes to another account of its
   * workspace.
   */
  readonly sendsMedia: boolean;
  /** The error codes for a recipient who has opted out at the provider. */
  readonly optOutCodes: readonly string[];
  /**
   * Parses the credentials of a request. `currentId` is the provider's id of the account whose
   * credentials they replace.
   *
   * @throws AppError `missing_params` or `invalid_params`, naming the parameter
   */
  readCredentials(input: Readonly<Record<string, unknown>>, currentId?: string): NewCredentials;
  /**
   * Adds to changed credentials the fields that the request omits, for example secrets. Without
   * this method, new credentials replace the old ones as a whole.
   *
   * @throws AppError `invalid_params`, naming the parameter
   */
  completeCredentials?(
    input: Readonly<Record<string, unknown>>,
    current: ProviderAccount,
  ): Record<string, unknown>;
  /**
   * Returns the credentials as their owner may read them, with the names of a request. A secret is shown
   * as its last 4 characters in a field that ends in `_last4`.
   */
  describeCredentials(account: ProviderAccount): DescribedCredentials;
  /**
   * Makes at most one request. Calls `mayWrite` when it is connected, immediately before it writes the
   * request. If that returns false, it writes nothing, and the outcome is `not_sent` with the reason
   * `lease_expired`. Never throws.
   */
  send(
    account: ProviderAccount,
    request: SendRequest,
    mayWrite: () => boolean,
  ): Promise<SendOutcome>;
  /**
   * Makes a request that takes the path of a send but cannot create a message, for example because it
   * has no recipient. Never throws.
   */
  probe(account: ProviderAccount): Promise<ProbeOutcome>;
  verifyAccount(account: ProviderAccount): Promise<AccountCheck>;
  /** Releases connections after the calls in flight have ended. */
  close(): Promise<void>;

  /** Null if the provider cannot find a message whose identifier is unknown. */
  readonly lookUp: MessageLookUp | null;
  /** Null if only webhooks or a session report the status of a message. */
  readonly fetchMessage: FetchMessage | null;
  /** Null if the provider calls no webhooks. */
  readonly webhooks: ProviderWebhooks | null;
  /** Null if the provider offers no way to remove the text of a message. */
  readonly redactMessage: RedactMessage | null;
  /** Null if received messages have no media. */
  readonly fetchMedia: FetchMedia | null;
  /** Null if every call opens a connection of its own. */
  readonly sessions: ProviderSessions | null;
  /** Null if the provider cannot list received messages: then a lost webhook is a lost message. */
  readonly inboundList: InboundList | null;
  /** Null if the provider has no list of numbers that the credentials of an account can read. */
  readonly listNumbers: ListNumbers | null;
  /** Null if only the account's owner can configure inbound messages, at the provider. */
  readonly configureInbound: ConfigureInbound | null;
}
