import type { InboundMessage } from './inbound-message.ts';
import type { ProviderAccount } from './provider-account.ts';

/** A received message as the provider's list has it. */
export interface ListedInbound extends Omit<InboundMessage, 'media'> {
  mediaCount: number;
  /** When the provider received it. */
  receivedAt: Date;
}

export type InboundPage =
  | {
      kind: 'read';
      messages: readonly ListedInbound[];
      /** Entries without what a received message must have. */
      unreadable: number;
      /** Names the next page; null if there is none. */
      next: string | null;
    }
  | { kind: 'unavailable'; detail: string };

/** The provider's list of received messages, from which lost webhooks are made up for. */
export interface InboundList {
  /**
   * Reads one page of what a number has received since a time, in the provider's order. A message
   * that is on its way may appear later than its time. Times are by this process's clock: the
   * provider's own are corrected by the time of its answer. Never throws.
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
