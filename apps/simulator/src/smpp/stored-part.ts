import type { Submit } from './parse-submit.ts';

/** A confirmed part of an incomplete message. */
export interface StoredPart {
  /** The `message_id` of the part. */
  id: string;
  /** The number of the part, counted from 1. */
  sequence: number;
  /** In base64. */
  content: string;
  receipt: Submit['receipt'];
}
