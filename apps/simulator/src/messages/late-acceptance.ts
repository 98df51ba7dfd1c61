import type { AcceptMessage } from './accept-message.ts';

export type LateAcceptance = ReturnType<typeof createLateAcceptance>;

/**
 * Simulates carriers that accept a request long after the caller's timeout. Until the delay is over,
 * the message is not in the ledger, in lookups or in the journal, and a simulator that stops before
 * then never accepts the message. It is accepted even if the caller disconnects.
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
