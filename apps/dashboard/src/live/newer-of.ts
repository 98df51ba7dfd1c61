import type { Message } from '@switchboard/contracts';

/** An answer may be older than a frame, and a frame that was missed older than an answer. */
export function newerOf<M extends Message>(known: M, told: Message): M {
  return told.updated_at >= known.updated_at ? { ...known, ...told } : known;
}
