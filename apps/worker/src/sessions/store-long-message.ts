import { type Clock, type ReceiveInbound, createUuidV7 } from '@switchboard/core';
import type { LongMessage, LongMessageStore } from '@switchboard/database';
import type { StoreLongMessage } from '../provider-sessions.ts';

/** Replaces a missing part. */
const GAP = '[…]';

/**
 * Stores a long message from its parts, and removes them. Safe to repeat after each step, because the
 * message is stored under the identifier of its parts.
 */
export function createStoreLongMessage(deps: {
  receiveInbound: ReceiveInbound;
  longMessages: Pick<LongMessageStore, 'remove'>;
  databaseClock: Pick<Clock, 'now'>;
}): StoreLongMessage {
  return async function storeLongMessage(message, { isLate, log }) {
    const { id: sid, workspaceId, providerAccount: account, from, to, total, parts } = message;
    const { receivedAt } = message;
    const requestId = createUuidV7(Date.now());
    const id = await deps.receiveInbound(
      {
        sid,
        account,
        from,
        to,
        body: joinParts(message),
        media: [],
        segments: total,
        providerKeyword: null,
      },
      {
        workspaceId,
        now: deps.databaseClock.now(),
        // Opt-outs and opt-ins that followed may be stored already.
        listedAt: isLate ? receivedAt.getTime() : null,
        requestId,
        traceParent: null,
        log,
      },
    );
    const fields = { message_id: id, request_id: requestId, parts: parts.size, total };
    if (parts.size < total) log.warn(fields, 'long message received without all its parts');
    else log.info(fields, 'long message received');
    await deps.longMessages.remove(sid);
  };
}

export function joinParts({ parts, total }: Pick<LongMessage, 'parts' | 'total'>): string {
  let text = '';
  for (let sequence = 1; sequence <= total; sequence += 1) {
    const part = parts.get(sequence);
    if (part !== undefined) text += part;
    else if (!text.endsWith(GAP)) text += GAP;
  }
  return toStorable(text);
}

/** Replaces halves of surrogate pairs and the character NUL, which PostgreSQL cannot store. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
