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

/** A message as the simulator keeps it. Times are milliseconds since the epoch. */
export interface Message {
  sid: string;
  accountSid: string;
  direction: 'outbound-api' | 'outbound-reply' | 'inbound';
  to: string;
  /** Null until a messaging service has chosen a sender. */
  from: string | null;
  /** As requested; what is sent is `prefix` and then this. */
  body: string;
  /** What the carrier puts before the text; absent in older journals. */
  prefix?: string;
  mediaUrls: string[];
  messagingServiceSid: string | null;
  statusCallback: string | null;
  status: MessageStatus;
  errorCode: number | null;
  createdAt: number;
  updatedAt: number;
  sentAt: number | null;
  /** When a scheduled message is due. */
  sendAt: number | null;
  /** What faults are decided by: see behaviour/faults.ts. */
  faultKey: string;
}
