import type { Treatment } from '../phones/phone.ts';
import type { Provider } from '../provider.ts';

export type MessageStatus =
  | 'accepted'
  | 'scheduled'
  | 'queued'
  | 'sending'
  | 'sent'
  | 'delivered'
  | 'undelivered'
  | 'failed'
  | 'canceled'
  | 'received';

/** A stored message. Times are Unix milliseconds. */
export interface Message {
  /** The provider's identifier. */
  sid: string;
  /** Absent in older journals, which have only Twilio messages. */
  provider?: Provider;
  /**
   * The account at the provider; for Telnyx its public key, for Vonage the application,
   * for SMPP the `system_id`, for a phone its user name.
   */
  accountSid: string;
  direction: 'outbound-api' | 'outbound-reply' | 'inbound';
  to: string;
  /** Null until a messaging service has chosen a sender. */
  from: string | null;
  /** The requested text. The sent text is `prefix` followed by the requested text. */
  body: string;
  /** The text that the carrier adds before the body. Absent in older journals. */
  prefix?: string;
  /** An empty text for an item that was deleted. */
  mediaUrls: string[];
  messagingServiceSid: string | null;
  statusCallback: string | null;
  status: MessageStatus;
  errorCode: number | null;
  createdAt: number;
  updatedAt: number;
  sentAt: number | null;
  /** The time at which a scheduled message is sent. */
  sendAt: number | null;
  /** The key that decides faults; see behaviour/faults.ts. */
  faultKey: string;
  /** The sender's own reference, which Vonage repeats in status webhooks. */
  reference?: string;
  /** How the carrier treats an outbound text; it is delivered if absent. */
  treatment?: Treatment;
  /** The SMPP receipts to send: for each part, whether always or only after a failure. */
  receipts?: { id: string; on: 'always' | 'failure' }[];
}

export function providerOf({ provider = 'twilio' }: Pick<Message, 'provider'>): Provider {
  return provider;
}
