import type { Evidence } from '../dispatch/evidence.ts';

/** The content of a status callback. */
export interface StatusCallback extends Evidence {
  /** Our message, if the callback's URL or content identifies it, and otherwise null. */
  messageId: string | null;
}
