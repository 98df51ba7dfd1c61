import type { StatusCallbacks } from '../callbacks/status-callbacks.ts';
import type { Journal } from '../ledger/journal.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import { endOf, WORKING_FROM } from './magic-numbers.ts';
import type { Message, MessageStatus } from './message.ts';

/**
 * The transitions of an outbound message and their delays:
 *
 *   scheduled ─(send_at)─▶ queued      accepted ─10 ms─▶ queued ─20 ms─▶ sending
 *   sending ─40 ms─▶ sent ─90 ms─▶ delivered | undelivered | stays
 *
 * Every transition sends a status callback, except the one to `sending`, as with Twilio. The initial
 * status sends none either.
 */
const DELAY_MS: Partial<Record<MessageStatus, number>> = {
  accepted: 10,
  queued: 20,
  sending: 40,
  sent: 90,
};
const MAX_TIMER_MS = 2 ** 31 - 1;

export type Lifecycle = ReturnType<typeof createLifecycle>;

export function createLifecycle(
  journal: Journal,
  numbers: Pick<NumberStore, 'ownedBy'>,
  callbacks: Pick<StatusCallbacks, 'announce'>,
) {
  // One timer for each unfinished message. Node keeps timers with the same delay in one list, so many
  // timers are cheap.
  const timers = new Map<Message, NodeJS.Timeout>();

  function waitForNext(message: Message): void {
    const delayMs =
      message.status === 'scheduled'
        ? Math.min(Math.max((message.sendAt ?? 0) - Date.now(), 0), MAX_TIMER_MS)
        : DELAY_MS[message.status];
    if (delayMs === undefined || message.direction === 'inbound') return;
    if (message.status === 'sent' && endOf(message.to) === null) return;
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
        const end = endOf(message.to);
        if (end !== null) change(message, end.status, end.errorCode);
      }
    }
  }

  function change(message: Message, status: MessageStatus, errorCode: number | null = null): void {
    const at = Date.now();
    message.from ??= numbers.ownedBy(message.accountSid)[0]?.phoneNumber ?? WORKING_FROM;
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
    if (status !== 'sending') callbacks.announce(message);
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
