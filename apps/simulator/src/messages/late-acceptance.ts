import type { AcceptMessage } from './accept-message.ts';

export type LateAcceptance = ReturnType<typeof createLateAcceptance>;

/**
 * Carriers that take a request in, say nothing, and accept it long after the caller gave up. Until
 * the delay is over the message exists nowhere: not in the ledger, not in a look-up, not on disk,
 * and a simulator that stops in between never accepts it. The caller's leaving changes nothing.
 */
export function createLateAcceptance(accept: AcceptMessage, onError: (cause: unknown) => void) {
  const timers = new Set<NodeJS.Timeout>();

  return {
    acceptAfter(delayMs: number, draft: Parameters<AcceptMessage>[0]): void {
      const timer = setTimeout(() => {
        timers.delete(timer);
        accept(draft).catch(onError);
      }, delayMs);
      timers.add(timer);
    },

    stop(): void {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
