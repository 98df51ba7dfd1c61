import { MAGIC_SENDER } from '@switchboard/providers/magic-numbers';
import type { StatusCallbacks } from '../callbacks/status-callbacks.ts';
import type { Journal } from '../ledger/journal.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import type { MessageFeed } from '../phones/message-feed.ts';
import { endOf, isSlow } from './magic-numbers.ts';
import { type Message, type MessageStatus, providerOf } from './message.ts';

/**
 * The transitions of an outbound message and their delays:
 *
 *   scheduled ─(send_at)─▶ queued      accepted ─10 ms─▶ queued ─20 ms─▶ sending
 *   sending ─40 ms─▶ sent ─90 ms─▶ delivered | undelivered | stays
 *
 * A phone with slow delivery gets its texts 10 s after `sent`. Every transition sends a status callback, except the one to `sending`, as with Twilio. The initial
 * status sends none either.
 */
const DELAY_MS: Partial<Record<MessageStatus, number>> = {
  accepted: 10,
  queued: 20,
  sending: 40,
  sent: 90,
};
const SLOW_MS = 10_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

export type Lifecycle = ReturnType<typeof createLifecycle>;

export function createLifecycle(
  journal: Journal,
  numbers: Pick<NumberStore, 'ownedBy'>,
  callbacks: Pick<StatusCallbacks, 'announce'>,
  feed: Pick<MessageFeed, 'publish'>,
) {
  // One timer for each unfinished message. Node keeps timers with the same delay in one list, so many
  // timers are cheap.
  const timers = new Map<Message, NodeJS.Timeout>();

  function waitForNext(message: Message): void {
    const delayMs =
      message.status === 'scheduled'
        ? Math.min(Math.max((message.sendAt ?? 0) - Date.now(), 0), MAX_TIMER_MS)
        : message.status === 'sent' && isSlowMessage(message)
          ? SLOW_MS
          : DELAY_MS[message.status];
    if (delayMs === undefined || message.direction === 'inbound') return;
    if (message.status === 'sent' && endOfMessage(message) === null) return;
    timers.set(message, setTimeout(step, delayMs, message));
  }

  function step(message: Message): void {
    timers.delete(message);
    switch (message.status) {
      case 'scheduled':
        if (message.sendAt !== null && message.sendAt > Date.now()) waitForNext(message);
        else change(message, 'queued');
        return;
      case 'accepted':
        return change(message, 'queued');
      case 'queued':
        return change(message, 'sending');
      case 'sending':
        return change(message, 'sent');
      default: {
        const end = endOfMessage(message);
        if (end !== null) change(message, end.status, end.errorCode);
      }
    }
  }

  function change(message: Message, status: MessageStatus, errorCode: number | null = null): void {
    const at = Date.now();
    message.from ??=
      numbers.ownedBy(message.accountSid)[0]?.phoneNumber ?? defaultSenderOf(message);
    applyStatus(message, status, at, message.from, errorCode);
    // Not awaited: after a restart the message reaches a lost state again.
    void journal.append({
      type: 'status',
      sid: message.sid,
      status,
      at,
      from: message.from,
      errorCode,
    });
    feed.publish(message);
    if (status !== 'sending' && !isReceiptLost(message)) callbacks.announce(message);
    waitForNext(message);
  }

  return {
    /** Starts the transitions of an accepted message, or resumes them after a restart. */
    start: waitForNext,

    /** Cancels a message that is not sent yet. Returns false if it is too late. */
    cancel(message: Message): boolean {
      if (!['accepted', 'scheduled', 'queued'].includes(message.status)) return false;
      clearTimeout(timers.get(message));
      timers.delete(message);
      change(message, 'canceled');
      return true;
    },

    /** Stops all transitions. */
    stop(): void {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** A magic recipient takes precedence over the treatment of a phone. */
function endOfMessage({ to, treatment }: Message): ReturnType<typeof endOf> {
  const end = endOf(to);
  return end?.status === 'delivered' && treatment?.treatment === 'undelivered'
    ? { status: 'undelivered', errorCode: treatment.errorCode }
    : end;
}

function isSlowMessage({ to, treatment }: Message): boolean {
  return isSlow(to) || treatment?.treatment === 'slow';
}

/** The carrier has the final status, which a lookup returns, but it is not reported. */
function isReceiptLost({ status, treatment }: Message): boolean {
  const isFinal = status === 'delivered' || status === 'undelivered';
  return isFinal && treatment?.treatment === 'receipt_lost';
}

/** Only Twilio has a magic sender. The number of a phone with a gateway may be unknown. */
function defaultSenderOf(message: Message): string | null {
  return providerOf(message) === 'twilio' ? MAGIC_SENDER : null;
}

/** Sets a status, for a transition and for a record of the journal. */
export function applyStatus(
  message: Message,
  status: MessageStatus,
  at: number,
  from: string | null,
  errorCode: number | null,
): void {
  message.status = status;
  message.updatedAt = at;
  message.from = from;
  message.errorCode = errorCode;
  if (status === 'sent') message.sentAt = at;
}
