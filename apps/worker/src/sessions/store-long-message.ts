import { type Clock, type ReceiveInbound, createUuidV7 } from '@switchboard/core';
import type { LongMessage, LongMessagePart, LongMessageStore } from '@switchboard/database';
import type { ProviderRegistry } from '@switchboard/providers';
import type { StoreLongMessage } from '../provider-sessions.ts';

/** Replaces a missing part. */
const GAP = '[…]';

/**
 * Stores a long message from its parts, and removes them. Safe to repeat after each step, because the
 * message is stored under the identifier of its parts.
 */
export function createStoreLongMessage(dependencies: {
  receiveInbound: ReceiveInbound;
  longMessages: Pick<LongMessageStore, 'remove'>;
  databaseClock: Pick<Clock, 'now'>;
  registry: Pick<ProviderRegistry, 'get'>;
}): StoreLongMessage {
  return async function storeLongMessage(message, { isLate, log }) {
    const { id: sid, workspaceId, providerId, vendorAccountId, from, to, total, parts } = message;
    const { receivedAt, type } = message;
    const sessions = type === null ? null : dependencies.registry.get(type)?.sessions;
    const requestId = createUuidV7(Date.now());
    const id = await dependencies.receiveInbound(
      {
        sid,
        vendorAccountId,
        from,
        to,
        body: joinParts(message, sessions?.decodeParts),
        media: [],
        segments: total,
        providerKeyword: null,
      },
      {
        workspaceId,
        providerId,
        now: dependencies.databaseClock.now(),
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
    await dependencies.longMessages.remove(message);
  };
}

/**
 * Joins the parts that have arrived. Consecutive parts are decoded together. Without `decode`, their own texts
 * are joined.
 */
export function joinParts(
  { parts, total }: Pick<LongMessage, 'parts' | 'total'>,
  decode?: (contents: readonly string[]) => string,
): string {
  let text = '';
  let run: LongMessagePart[] = [];
  for (let sequence = 1; sequence <= total; sequence += 1) {
    const part = parts.get(sequence);
    if (part !== undefined) {
      run.push(part);
      continue;
    }
    text += joinRun(run, decode);
    run = [];
    if (!text.endsWith(GAP)) text += GAP;
  }
  return toStorable(text + joinRun(run, decode));
}

function joinRun(
  run: readonly LongMessagePart[],
  decode: ((contents: readonly string[]) => string) | undefined,
): string {
  return decode !== undefined && run.length > 0
    ? decode(run.map(({ content }) => content))
    : run.map(({ body }) => body).join('');
}

/** Replaces halves of surrogate pairs and the character NUL, which PostgreSQL cannot store. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
