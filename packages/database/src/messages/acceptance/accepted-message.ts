import type { EncodingChoice } from '@switchboard/core';
import type { MediaItem, MessageSender } from '../rows/stored-message.ts';

export interface AcceptedMessage {
  /** UUIDv7. Its time becomes `created_at`. */
  id: string;
  createdAt: Date;
  workspaceId: string;
  to: string;
  /** Null selects the workspace's default number, if the rules apply and there is one. */
  from: string | null;
  body: string;
  media: readonly MediaItem[];
  segments: number;
  scheduledAt: Date | null;
  requestId: string;
  /**
   * The API key of the request. It must still be valid in the workspace when the message is stored.
   * Default: none.
   */
  apiKeyId?: string | null;
  /** The version of the key's secret in the request. Must be given with an API key. */
  apiKeyVersion?: number | null;
  /** The sender, if it is not an API key. Default: none. */
  sentBy?: MessageSender | null;
  /** The first message, if this one repeats it. Default: none. */
  repeatOf?: string | null;
  /** What the message is about in the client's system. Default: nothing. */
  reference?: string | null;
  /** Pairs of the client. Default: none. */
  metadata?: Readonly<Record<string, string>> | null;
  /** Whether characters of the text may be replaced. Default: as the workspace has set. */
  encoding?: EncodingChoice | null;
  /** Whether the rules of sending are checked when the message is stored. Default: false. */
  isHeldToRules?: boolean;
  /** The trace of the request, as a W3C `traceparent`. Default: none. */
  traceParent?: string | null;
  idempotency: {
    key: string;
    fingerprint: Buffer;
    /** The response for later requests with the key; null while it is not known. */
    response: object | null;
  } | null;
}
