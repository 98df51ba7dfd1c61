/**
 * What a peer may use of this process. A peer that is only fast is read more slowly; one that exceeds a
 * limit that no working SMSC reaches loses its connection.
 */
export interface SessionBudget {
  /** PDUs that are handled before other work of the process gets a turn. */
  pdusPerTurn: number;
  /** While so many requests are being handled, or so many bytes of them, nothing more is read. */
  pendingRequests: number;
  pendingBytes: number;
  /** While the peer has not read so many bytes, nothing more is read from it. */
  unreadBytes: number;
  /** How long the peer may leave them unread. */
  unreadMs: number;
  /** How long a PDU may take to arrive. */
  partialMs: number;
  /** PDUs within a minute that carry no message and respond to no request. */
  emptyPdusPerMinute: number;
}

export const SESSION_BUDGET: SessionBudget = {
  pdusPerTurn: 64,
  pendingRequests: 1_000,
  pendingBytes: 4 * 1024 * 1024,
  unreadBytes: 64 * 1024,
  unreadMs: 30_000,
  partialMs: 30_000,
  emptyPdusPerMinute: 1_000,
};

const MINUTE_MS = 60_000;

/** Counts events in windows of a minute. The result returns whether there are more than `limit`. */
export function createMinuteCounter(limit: number): () => boolean {
  let count = 0;
  let since = Number.NEGATIVE_INFINITY;
  return function isExceeded() {
    const now = performance.now();
    if (now - since >= MINUTE_MS) {
      since = now;
      count = 0;
    }
    count += 1;
    return count > limit;
  };
}
