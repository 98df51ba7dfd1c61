import type { Submit } from './parse-submit.ts';

/** A confirmed part of a message whose other parts are not all there. */
export interface StoredPart {
  /** The `message_id` of the part. */
  id: string;
  /** The part's place: 1 is the first. */
  sequence: number;
  /** In base64. */
  content: string;
  receipt: Submit['receipt'];
}
