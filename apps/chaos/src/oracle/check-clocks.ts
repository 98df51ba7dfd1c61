import type { InboundRecord } from '../senders/receive-messages.ts';
import type { SendRecord } from '../senders/send-messages.ts';
import type { StoredInbound, StoredKey, StoredMessage } from './read-database.ts';
import type { Violation } from './violation.ts';

/** The tolerance between two correct clocks. */
const SKEW_MS = 1_000;
/** The carrier's list and the `Date` header that measures its clock have whole seconds. */
const LIST_SKEW_MS = 3_000;
/** The service may process a request after its client has stopped waiting. */
const UNANSWERED_MS = 30_000;

/**
 * Checks that a message's creation time is within its request, regardless of the API process's clock.
 */
export function checkClocks(
  records: readonly SendRecord[],
  inbound: readonly InboundRecord[],
  state: {
    messages: readonly StoredMessage[];
    inbound: readonly StoredInbound[];
    keys: readonly StoredKey[];
  },
): Violation[] {
  const messageOf = new Map(state.messages.map((row) => [row.id, row]));
  const keyed = new Map(state.keys.map(({ key, messageId }) => [key, messageOf.get(messageId)]));
  const received = new Map(state.inbound.map((row) => [row.providerSid, row]));
  const requests = [
    ...records.map(({ planned, attempts }) => ({
      row: keyed.get(planned.key),
      skewMs: SKEW_MS,
      fromMs: Math.min(...attempts.map(({ atMs }) => atMs)),
      toMs: Math.max(
        ...attempts.map(
          ({ atMs, durationMs, status }) =>
            atMs + durationMs + (status === null ? UNANSWERED_MS : 0),
        ),
      ),
    })),
    ...inbound.map(({ delivery, fromMs, toMs }) => ({
      row: received.get(delivery.sid),
      skewMs: LIST_SKEW_MS,
      fromMs,
      toMs: toMs + (delivery.status === null ? UNANSWERED_MS : 0),
    })),
  ];
  return requests.flatMap(({ row, skewMs, fromMs, toMs }): Violation[] => {
    const madeMs = row?.createdAt.getTime() ?? fromMs;
    if (madeMs > fromMs - skewMs && madeMs < toMs + skewMs) return [];
    const off = Math.round((madeMs < fromMs ? madeMs - fromMs : madeMs - toMs) / 1_000);
    const detail = `${row?.id} has a creation time ${off} s outside its request`;
    return [{ check: 'clock', detail, messageIds: [row?.id ?? ''] }];
  });
}
