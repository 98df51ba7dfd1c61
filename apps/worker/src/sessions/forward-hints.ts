import type { DispatchHint, EventBus } from '@switchboard/core';

export interface HintForwarding {
  /** Sends a hint to the worker that holds the session its message needs. */
  forward(workerId: string, hint: DispatchHint): void;
  start(): void;
  stop(): void;
}

/**
 * Exchanges hints between workers over the event bus. If a hint is lost, or the other worker has no
 * capacity for it, the sweeper of that worker finds the message.
 */
export function createHintForwarding(deps: {
  workerId: string;
  bus: Pick<EventBus, 'publishLater' | 'subscribe'>;
  dispatchHere(hint: DispatchHint, how: { isForwarded: true }): boolean;
}): HintForwarding {
  const { workerId, bus, dispatchHere } = deps;
  let unsubscribe: (() => void) | null = null;

  return {
    forward(to, hint) {
      bus.publishLater({ kind: 'hint', workerId: to, ...hint });
    },
    start() {
      unsubscribe ??= bus.subscribe((notification) => {
        if (notification.kind !== 'hint' || notification.workerId !== workerId) return;
        const { messageId, workspaceId, requestId } = notification;
        // A hint is forwarded only once, because two workers may briefly have each other recorded
        // as the holder of the session.
        dispatchHere({ messageId, workspaceId, requestId }, { isForwarded: true });
      });
    },
    stop() {
      unsubscribe?.();
      unsubscribe = null;
    },
  };
}
