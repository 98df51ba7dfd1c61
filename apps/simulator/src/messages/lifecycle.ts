import type { StatusCallbacks } from '../callbacks/status-callbacks.ts';
import type { Journal } from '../ledger/journal.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import { endOf, WORKING_FROM } from './magic-numbers.ts';
import type { Message, MessageStatus } from './message.ts';

/**
 * How an outbound message moves by itself, and after how long:
 *
 *   scheduled ─(send_at)─▶ queued      accepted ─10 ms─▶ queued ─20 ms─▶ sending
 *   sending ─40 ms─▶ sent ─90 ms─▶ delivered | undelivered | stays
 *
 * Every change is announced except `sending`: Twilio passes through it too fast to announce it.
 * The initial status is never announced.
 */
const DELAY_MS: Partial<Record<MessageStatus, number>> = {
  accepted: 10,
  queued: 20,
  sending: 40,
  sent: 90,
};
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type Lifecycle = ReturnType<typeof createLifecycle>;

export function createLifecycle(
  journal: Journal,
  numbers: Pick<NumberStore, 'ownedBy'>,
  callbacks: Pick<StatusCallbacks, 'announce'>,
) {
  // One timer for each message that will move again. Node keeps timers of the same delay in one
  // list, so many of them cost no more than few.
  const timers = new Map<Message, NodeJS.Timeout>();

  function waitForNext(message: Message): void {
    const delayMs =
      message.status === 'scheduled'
        ? Math.min(Math.max((message.sendAt ?? 0) - Date.now(), 0), LONGEST_TIMER_MS)
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
    // Not awaited: a state lost with the process is reached again after the restart.
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
    /** Lets an accepted message move on; after a restart from where it was. */
    start: waitForNext,

    /** Cancels a message that has not been sent; false when it is too late. */
    cancel(message: Message): boolean {
      if (!['accepted', 'scheduled', 'queued'].includes(message.status)) return false;
      clearTimeout(timers.get(message));
      timers.delete(message);
      change(message, 'canceled');
      return true;
    },

    /** Stops every message where it is. */
    stop(): void {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** The one place where a status is written, for a change that happens and for one read back. */
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
