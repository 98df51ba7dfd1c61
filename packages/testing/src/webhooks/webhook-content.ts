/** What a webhook of the vendor reports. */
export type WebhookContent =
  | {
      kind: 'status';
      sid?: string;
      messageId: string;
      rawStatus: string;
      /** A code of the vendor's own. */
      errorCode?: string;
    }
  | { kind: 'inbound'; sid?: string; to: string; from: string; text: string };
