/** The content of a vendor's webhook. */
export type WebhookContent =
  | {
      kind: 'status';
      sid?: string;
      messageId: string;
      rawStatus: string;
      /** The vendor's own error code. */
      errorCode?: string;
    }
  | { kind: 'inbound'; sid?: string; to: string; from: string; text: string };
