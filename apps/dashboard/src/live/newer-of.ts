import type { Message } from '@switchboard/contracts';

/** Merges the newer state into a cached message: responses and frames may arrive in any order. */
export function newerOf<M extends Message>(cached: M, received: Message): M {
  return received.updated_at >= cached.updated_at ? { ...cached, ...received } : cached;
}
