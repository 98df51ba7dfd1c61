import type { AppError } from '../errors.ts';
import type { InboundMessage } from './inbound-message.ts';
import type { AccountAddress, AttemptAddress, ProviderAccount } from './provider-account.ts';
import type { StatusCallback } from './status-callback.ts';

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
  /** Returns the URL for the status callbacks of one attempt. */
  toStatusUrl(publicUrl: string, address: AttemptAddress): string;
  /** Returns the URL for the inbound messages of an account. */
  toInboundUrl(publicUrl: string, address: AccountAddress): string;
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
}

/**
 * Fetches media from the URL of a webhook, which may point anywhere. Requests only public hosts and
 * the account's own media at the provider, and sends credentials only for the latter. Never throws.
 */
export type FetchMedia = (account: ProviderAccount, url: string) => Promise<MediaOutcome>;

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
