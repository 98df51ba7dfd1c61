import type { Keyword } from '../keywords.ts';
import type { MessageStatus } from '../message-status.ts';

/** The workspace's account at its provider, decrypted. Never logged. */
export interface ProviderAccount {
  accountSid: string;
  authToken: string;
  messagingServiceSid: string | null;
}

export interface SendRequest {
  messageId: string;
  /** 1 for the first provider call. Part of the callback's address, so evidence names its attempt. */
  attempt: number;
  to: string;
  /** Null: the account's messaging service chooses. */
  from: string | null;
  body: string;
  mediaUrls: readonly string[];
  statusCallbackUrl: string;
}

/** A message as the provider tells it, in an answer, a look-up or a callback. */
export interface ProviderMessage {
  sid: string;
  accountSid: string;
  /** Our name for the provider's status; null for one we do not know. */
  status: MessageStatus | null;
  /** As the provider spelled it. */
  rawStatus: string;
  to: string;
  from: string | null;
  body: string | null;
  segments: number | null;
  /** How many media it has; null when not told. */
  mediaCount: number | null;
  errorCode: string | null;
  errorDetail: string | null;
  direction: 'inbound' | 'outbound';
  createdAt: Date | null;
}

/**
 * What a send call came to (RELIABILITY.md section 1). The line that matters runs between
 * `not_sent`, which is certain, and `unknown`, which is everything else.
 */
export type SendOutcome =
  | { kind: 'accepted'; message: ProviderMessage }
  /** Surely not sent; the same call may succeed later. */
  | {
      kind: 'not_sent';
      reason: NotSentReason;
      retryAfterMs: number | null;
      code: string | null;
      detail: string;
    }
  /** Surely not sent, and never will be. */
  | { kind: 'rejected'; code: string; detail: string }
  /** The provider may or may not have taken it. */
  | {
      kind: 'unknown';
      detail: string;
      /** The answer was another request's: somebody has to find out why. */
      isMismatched?: true;
    };

export type NotSentReason =
  /** No connection was had: refused, not resolved, TLS, connect time-out. */
  | 'unreachable'
  /** Aborted by the fence before the request was written. */
  | 'fenced'
  /** 429, or the sender's queue at the provider is full. */
  | 'throttled'
  /** The account's credentials were refused; the account needs its owner. */
  | 'credentials';

/** What a probe found out about an account. */
export type ProbeOutcome =
  /** The provider answers sends. */
  | { kind: 'answered' }
  /** The credentials are refused. */
  | { kind: 'refused'; detail: string }
  /** A 5xx, a time-out, no connection, a 429, or an answer that is not the provider's own. */
  | { kind: 'failed'; detail: string };

export type LookUpOutcome =
  | { kind: 'found'; messages: readonly ProviderMessage[] }
  /** The provider could not be asked: no evidence either way. */
  | { kind: 'unavailable'; detail: string };

export type FetchOutcome =
  | { kind: 'found'; message: ProviderMessage }
  | { kind: 'missing' }
  | { kind: 'unavailable'; detail: string };

export interface InboundMessage {
  sid: string;
  accountSid: string;
  to: string;
  from: string;
  body: string;
  media: readonly { url: string; content_type: string }[];
  segments: number;
  /**
   * What the provider's own opt-out handling has taken the text for. Its verdict decides, and it has
   * replied itself. `unknown`: a verdict that this version does not know; null: none.
   */
  providerKeyword: Keyword | 'unknown' | null;
}

/** Media of a received message, as the provider hands it out. */
export type MediaOutcome =
  | {
      kind: 'found';
      contentType: string | null;
      contentLength: number | null;
      /** To be read to its end or returned from. Throws when it is too large or breaks off. */
      body: AsyncIterable<Uint8Array>;
    }
  | { kind: 'missing' }
  /** It is at an address that is not fetched, or too large. */
  | { kind: 'refused'; detail: string }
  | { kind: 'unavailable'; detail: string };

/** What a status callback tells. */
export interface StatusCallback {
  sid: string;
  accountSid: string;
  status: MessageStatus | null;
  rawStatus: string;
  from: string | null;
  errorCode: string | null;
  errorDetail: string | null;
}

/** A webhook request as it arrived; `url` is our public address plus the raw path and query. */
export interface SignedRequest {
  url: string;
  signature: string;
  /** Form fields in the order they came; a name may repeat. */
  fields: readonly (readonly [string, string])[];
}

/** What the provider says of an account's credentials. */
export interface AccountVerdict {
  /** The account can send. */
  ok: boolean;
  /** The provider has seen the credentials and does not accept them. */
  isRefused: boolean;
  /** The provider did not answer, which says nothing about the credentials. */
  isUnavailable: boolean;
  /** A sentence for the account's owner. */
  detail: string;
}

/** Our code for one vendor. Nothing outside its folder knows the vendor's types. */
export interface ProviderAdapter {
  readonly type: string;
  /**
   * Makes at most one request. `mayWrite` is asked once a connection is had and just before the
   * request is written; when it says no, nothing is written and the outcome is `not_sent`,
   * `fenced`. Never throws.
   */
  send(
    account: ProviderAccount,
    request: SendRequest,
    mayWrite: () => boolean,
  ): Promise<SendOutcome>;
  /**
   * Makes a request that goes the way of a send and can create no message, for example one without
   * a recipient. Never throws.
   */
  probe(account: ProviderAccount): Promise<ProbeOutcome>;
  /**
   * Outbound messages to a number since a time, newest first, all pages. Times are by this process's
   * clock: the provider's own are corrected by the time of its answer. Never throws.
   */
  findSent(
    account: ProviderAccount,
    query: { to: string; from: string | null; since: Date },
  ): Promise<LookUpOutcome>;
  fetchMessage(account: ProviderAccount, sid: string): Promise<FetchOutcome>;
  verifyAccount(account: ProviderAccount): Promise<AccountVerdict>;
  /**
   * Points the number's inbound messages at `url`. `not_owned`: the account has no such number;
   * `unavailable`: the provider could not be asked, or refused. Never throws.
   */
  wireInbound(
    account: ProviderAccount,
    number: string,
    url: string,
  ): Promise<'wired' | 'not_owned' | 'unavailable'>;
  /**
   * Fetches media by the URL that a webhook brought, which may lead anywhere: nothing but hosts on
   * the internet and the account's own media at the provider is asked, and only the latter is given
   * credentials.
   * Never throws.
   */
  fetchMedia(account: ProviderAccount, url: string): Promise<MediaOutcome>;
  /** Constant time. */
  isSigned(authToken: string, request: SignedRequest): boolean;
  parseStatusCallback(fields: SignedRequest['fields']): StatusCallback | null;
  parseInbound(fields: SignedRequest['fields']): InboundMessage | null;
  /** Releases connections; waits for calls under way. */
  close(): Promise<void>;
}
