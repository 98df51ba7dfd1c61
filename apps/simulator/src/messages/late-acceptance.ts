import type { AcceptMessage } from './accept-message.ts';

export type LateAcceptance = ReturnType<typeof createLateAcceptance>;

/**
 * Simulates carriers that accept a request long after the caller's timeout. Until the delay is over,
 * neither the ledger, look-ups nor the journal contain the message, and a simulator that stops
 * before then never accepts it. It is accepted even if the caller disconnects.
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
