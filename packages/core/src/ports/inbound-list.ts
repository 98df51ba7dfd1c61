import type { InboundMessage } from './inbound-message.ts';
import type { ProviderAccount } from './provider-account.ts';

/** A received message in the provider's list. */
export interface ListedInbound extends Omit<InboundMessage, 'media'> {
  mediaCount: number;
  /** When the provider received it. */
  receivedAt: Date;
}

export type InboundPage =
  | {
      kind: 'read';
      messages: readonly ListedInbound[];
      /** The identifiers of entries that lack a field that a received message must have. */
      unreadable: readonly string[];
      /** Names the next page; null if there is none. */
      next: string | null;
    }
  | { kind: 'unavailable'; detail: string };

/** The provider's list of received messages, which replaces lost webhooks. */
export interface InboundList {
  /**
   * Finds the numbers that belong to the account and send their inbound messages to one of the URLs
   * given for them. Never throws.
   */
  findConfigured(
    account: ProviderAccount,
    numbers: readonly { number: string; urls: readonly string[] }[],
  ): Promise<
    /** The URL of each such number, by number. */
    { kind: 'read'; urls: ReadonlyMap<string, string> } | { kind: 'unavailable'; detail: string }
  >;
  /**
   * Reads one page of the messages that a number received since a time, in the provider's order. A
   * message may appear in the list later than its time. Times use this process's clock: the
   * provider's times are corrected by the time of its response. Never throws.
   */
  readPage(
    account: ProviderAccount,
    query: { to: string; since: Date; page: string | null },
  ): Promise<InboundPage>;
  /** Reads the media of a listed message, as its webhook names them. Never throws. */
  readMedia(
    account: ProviderAccount,
    sid: string,
  ): Promise<
    { kind: 'read'; media: InboundMessage['media'] } | { kind: 'unavailable'; detail: string }
  >;
}
