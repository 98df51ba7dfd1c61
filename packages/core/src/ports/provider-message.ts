import type { MessageStatus } from '../message-status.ts';

/** A message as the provider reports it, in a response or a lookup. */
export interface ProviderMessage {
  sid: string;
  /** The provider may give the same identifier to several messages. */
  mayShareSid?: true;
  vendorAccountId: string;
  /** Our status for `rawStatus`; null if `rawStatus` is unknown. */
  status: MessageStatus | null;
  /** The status in the provider's spelling. */
  rawStatus: string;
  to: string;
  from: string | null;
  body: string | null;
  segments: number | null;
  /** The number of media; null if the provider does not report it. */
  mediaCount: number | null;
  errorCode: string | null;
  errorDetail: string | null;
  /** The error means that the recipient has opted out at the provider. */
  isOptOut: boolean;
  direction: 'inbound' | 'outbound';
  createdAt: Date | null;
  /** The provider has another status after this time, which is then fetched. Absent if it does not know. */
  nextReportInMs?: number;
}
