import type { AppError } from '../errors.ts';
import type { Keyword } from '../keywords.ts';
import type { MessageStatus } from '../message-status.ts';

/**
 * The field that a sealed secret is bound to, beside its workspace. Every stored secret carries it, so
 * it never changes.
 */
export const SECRET_FIELD = 'auth_token';

/** The workspace's account at its provider, its secret opened. Never logged. */
export interface ProviderAccount {
  /** What the provider calls the account. */
  id: string;
  /** The opened credentials, in the adapter's own format. */
  secret: string;
  /** The provider's pool that chooses a sender where a message names none. */
  senderPool: string | null;
}

/** Credentials as an owner enters them, in the form in which they are stored. */
export interface NewCredentials {
  account: ProviderAccount;
  /** The end of the secret, by which its owner recognises it; empty for a short one. */
  secretLast4: string;
}

/** Which evidence of a send the provider gives. */
export interface ProviderEvidence {
  /** The provider drops a repeated send that carries the same key. */
  idempotencyKey: boolean;
  /** A status callback names our message, also when the answer to the send was lost. */
  referenceInCallback: boolean;
  lookUp: 'by_reference' | 'by_content' | 'none';
}

export interface SendRequest {
  messageId: string;
  /** 1 for the first provider call. Part of the callback's address, so evidence names its attempt. */
  attempt: number;
  to: string;
  /** Null: the account's sender pool chooses. */
  from: string | null;
  body: string;
  mediaUrls: readonly string[];
  /** From `toStatusUrl`. */
  statusUrl: string;
}

/** A message as the provider reports it, in an answer or a look-up. */
export interface ProviderMessage {
  sid: string;
  account: string;
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
  /** The error says that the recipient has opted out at the provider. */
  isOptOut: boolean;
  direction: 'inbound' | 'outbound';
  createdAt: Date | null;
}

/**
 * The outcome of a send call. The line that matters runs between `not_sent`, which is certain, and
 * `unknown`, which is everything else.
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
  | { kind: 'rejected'; code: string; detail: string; isOptOut: boolean }
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
  /** Aborted before the request was written: the lease had too little time left. */
  | 'lease_expired'
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
  account: string;
  to: string;
  from: string;
  body: string;
  media: readonly { url: string; content_type: string }[];
  segments: number;
  /**
   * The keyword that the provider's own opt-out handling recognised. It decides, and the provider has
   * replied itself. `unknown`: one that this version does not know; null: none.
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

/** What a status callback reports. */
export interface StatusCallback {
  /** Our message, as the callback's address or content names it; null when it names none. */
  messageId: string | null;
  sid: string;
  account: string;
  status: MessageStatus | null;
  rawStatus: string;
  from: string | null;
  errorCode: string | null;
  errorDetail: string | null;
  /** The error says that the recipient has opted out at the provider. */
  isOptOut: boolean;
}

/** A webhook request as it arrived. */
export interface WebhookRequest {
  /** Our public address, with the path and query as they came. */
  url: string;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  body: string;
}

export type WebhookOutcome<Content> =
  | { kind: 'read'; content: Content }
  /** Not signed with the account's secret, or about another account. */
  | { kind: 'forged' }
  /** Signed, and without what a webhook of this kind must have. */
  | { kind: 'invalid'; error: AppError };

/** How the provider's webhooks come in. */
export interface ProviderWebhooks {
  /** Path patterns on our side, with `:workspaceId`. */
  paths: { status: string; inbound: string };
  /** Their media type. */
  contentType: string;
  /** The answer to an inbound message. */
  inboundReply: { contentType: string; body: string };
}

/** What the provider says of an account's credentials. */
export interface AccountCheck {
  /** The account can send. */
  ok: boolean;
  /** The provider has seen the credentials and does not accept them. */
  isRefused: boolean;
  /** The provider did not answer, which says nothing about the credentials. */
  isUnavailable: boolean;
  /** A sentence for the account's owner. */
  detail: string;
}

/** Our code for one vendor. Nothing outside its folder knows the vendor's words. */
export interface ProviderAdapter {
  /** As in a workspace's provider configuration and in the paths of its webhooks. */
  readonly type: string;
  readonly evidence: ProviderEvidence;
  readonly webhooks: ProviderWebhooks;
  /** Error codes that say that the recipient has opted out at the provider. */
  readonly optOutCodes: readonly string[];
  /**
   * Reads the credentials of a request.
   *
   * @throws AppError `missing_params` or `invalid_params`, naming the parameter
   */
  readCredentials(input: Readonly<Record<string, unknown>>): NewCredentials;
  /** The address of the status callbacks of one attempt. */
  toStatusUrl(
    publicUrl: string,
    attempt: { workspaceId: string; messageId: string; attempt: number },
  ): string;
  /** The address of the inbound messages of a workspace. */
  toInboundUrl(publicUrl: string, workspaceId: string): string;
  /**
   * Makes at most one request. `mayWrite` is called once a connection is had and just before the
   * request is written; when it returns false, nothing is written and the outcome is `not_sent`,
   * `lease_expired`. Never throws.
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
   * Finds outbound messages to a number since a time, newest first, all pages. Times are by this
   * process's clock: the provider's own are corrected by the time of its answer. Never throws.
   */
  findSent(
    account: ProviderAccount,
    query: { to: string; from: string | null; since: Date },
  ): Promise<LookUpOutcome>;
  fetchMessage(account: ProviderAccount, sid: string): Promise<FetchOutcome>;
  verifyAccount(account: ProviderAccount): Promise<AccountCheck>;
  /**
   * Points the number's inbound messages at `url`. `not_owned`: the account has no such number;
   * `unavailable`: the provider did not answer, or refused. Never throws.
   */
  configureInbound(
    account: ProviderAccount,
    number: string,
    url: string,
  ): Promise<'configured' | 'not_owned' | 'unavailable'>;
  /**
   * Fetches media by the URL that a webhook brought, which may lead anywhere: only hosts on the
   * internet and the account's own media at the provider are requested, and only the latter with
   * credentials. Never throws.
   */
  fetchMedia(account: ProviderAccount, url: string): Promise<MediaOutcome>;
  /** Whether the request has a signature at all. Cheap: called before anything is read. */
  hasSignature(request: Pick<WebhookRequest, 'headers'>): boolean;
  /** Compares signatures in constant time, then reads. */
  readStatusCallback(
    account: ProviderAccount,
    request: WebhookRequest,
  ): WebhookOutcome<StatusCallback>;
  /** Compares signatures in constant time, then reads. */
  readInbound(account: ProviderAccount, request: WebhookRequest): WebhookOutcome<InboundMessage>;
  /** Releases connections; waits for calls in flight. */
  close(): Promise<void>;
}
