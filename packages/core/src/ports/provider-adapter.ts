import type { AccountCheck } from './account-check.ts';
import type { AppError } from '../errors.ts';
import type { InboundList } from './inbound-list.ts';
import type { InboundMessage } from './inbound-message.ts';
import type { ListNumbers } from './number-list.ts';
import type { AccountAddress, AttemptAddress, ProviderAccount } from './provider-account.ts';
import type { ProviderMessage } from './provider-message.ts';
import type { ProviderSessions } from './provider-session.ts';
import type { ProbeOutcome, SendOutcome } from './send-outcome.ts';
import type { StatusCallback } from './status-callback.ts';

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

/** The evidence of a send that the provider offers. */
export interface ProviderEvidence {
  /** The provider ignores a repeated send with the same key. */
  idempotencyKey: boolean;
  /** A status callback identifies our message, even if the response to the send was lost. */
  referenceInCallback: boolean;
  lookUp: LookUpProof | 'none';
}

/**
 * How a lookup recognizes a message: by our reference, which is proof, or by its text, which is
 * weak evidence.
 */
export type LookUpProof = 'by_reference' | 'by_content';

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
  /** From `toStatusUrl`. */
  statusUrl: string;
}

export type LookUpOutcome =
  | { kind: 'found'; messages: readonly ProviderMessage[] }
  /** The lookup failed, so there is no evidence either way. */
  | { kind: 'unavailable'; detail: string };

export type FetchOutcome =
  | { kind: 'found'; message: ProviderMessage }
  | { kind: 'missing' }
  | { kind: 'unavailable'; detail: string };

/** Media of a received message, as the provider serves it. */
export type MediaOutcome =
  | {
      kind: 'found';
      contentType: string | null;
      contentLength: number | null;
      /** The caller must read it to its end or close it. Throws if it is too large or interrupted. */
      body: AsyncIterable<Uint8Array>;
    }
  | { kind: 'missing' }
  /** The URL must not be fetched, or the media is too large. */
  | { kind: 'refused'; detail: string }
  | { kind: 'unavailable'; detail: string };

/** A webhook request as it was received. */
export interface WebhookRequest {
  /** Our public URL, with the path and query as received. */
  url: string;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as received, because signatures cover them. */
  body: Uint8Array;
}

export type WebhookOutcome<Content> =
  | { kind: 'read'; content: Content }
  /** Not signed with the account's secret, or for another account. */
  | { kind: 'forged' }
  /** Correctly signed, but about an event that the service does not handle. The response is 200. */
  | { kind: 'ignored'; event: string }
  /** Correctly signed, but without a required parameter. */
  | { kind: 'invalid'; error: AppError };

/** The webhooks of the provider. */
export interface ProviderWebhooks {
  /** Path patterns of our endpoints, with `:providerId`, or with `:workspaceId` in the oldest adapter. */
  paths: { status: string; inbound: string };
  /** The media types of the requests. */
  contentTypes: readonly string[];
  /** The response to an inbound message. */
  inboundReply: { contentType: string; body: string };
}

/** The result of configuring inbound messages for a number. */
export type InboundResult =
  | 'configured'
  /** The account does not have the number. */
  | 'not_owned'
  /** Only the account's owner can configure it, in the provider's own console. */
  | 'manual'
  /** The provider did not respond, or refused the change. */
  | 'unavailable';

/** Our code for one vendor. The vendor's terms must not appear outside its folder. */
export interface ProviderAdapter {
  /** The name in a workspace's provider configuration and in the paths of its webhooks. */
  readonly type: string;
  readonly evidence: ProviderEvidence;
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
  /** Null if the provider calls no webhooks. */
  readonly webhooks: ProviderWebhooks | null;
  /** Null if the provider cannot list received messages: then a lost webhook is a lost message. */
  readonly inboundList: InboundList | null;
  /** Null if every call opens a connection of its own. */
  readonly sessions: ProviderSessions | null;
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
  /** Returns the URL for the status callbacks of one attempt. */
  toStatusUrl(publicUrl: string, address: AttemptAddress): string;
  /** Returns the URL for the inbound messages of an account. */
  toInboundUrl(publicUrl: string, address: AccountAddress): string;
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
  /**
   * Finds the outbound messages to a number since a time, on all pages, newest first. If `evidence.lookUp`
   * is `by_reference`, finds only the messages that carry the reference of `messageId`. Converts the
   * provider's times to the clock of this process, by the time of the response. Never throws.
   */
  findSent(
    account: ProviderAccount,
    query: { messageId: string; to: string; from: string | null; since: Date },
  ): Promise<LookUpOutcome>;
  fetchMessage(account: ProviderAccount, sid: string): Promise<FetchOutcome>;
  verifyAccount(account: ProviderAccount): Promise<AccountCheck>;
  /** Sets the URL for the number's inbound messages. Never throws. */
  configureInbound(account: ProviderAccount, number: string, url: string): Promise<InboundResult>;
  /** Null if the provider has no list of numbers that the credentials of an account can read. */
  readonly listNumbers: ListNumbers | null;
  /**
   * Fetches media from the URL of a webhook, which may point anywhere. Requests only public hosts and
   * the account's own media at the provider, and sends credentials only for the latter. Never throws.
   */
  fetchMedia(account: ProviderAccount, url: string): Promise<MediaOutcome>;
  /**
   * Returns whether the request has a signature. Cheap, because it is called before anything is read.
   */
  hasSignature(request: Pick<WebhookRequest, 'headers'>): boolean;
  /** Compares signatures in constant time, then parses the request. */
  readStatusCallback(
    account: ProviderAccount,
    request: WebhookRequest,
  ): WebhookOutcome<StatusCallback>;
  /** Compares signatures in constant time, then parses the request. */
  readInbound(account: ProviderAccount, request: WebhookRequest): WebhookOutcome<InboundMessage>;
  /** Releases connections after the calls in flight have ended. */
  close(): Promise<void>;
}
