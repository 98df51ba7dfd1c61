import type { Keyword } from '../keywords/find-keyword.ts';

export interface InboundMessage {
  sid: string;
  vendorAccountId: string;
  to: string;
  from: string;
  /** The text without the subject. */
  body: string;
  /** The subject of an MMS; null or absent if there is none. */
  subject?: string | null;
  media: readonly { url: string; content_type: string }[];
  segments: number;
  /**
   * The keyword that the provider's own opt-out handling detected, or null. It takes precedence, and
   * the provider has already replied. `unknown` is a keyword that this version does not support.
   */
  providerKeyword: Keyword | 'unknown' | null;
}
