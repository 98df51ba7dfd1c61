import type { DispatchHint, EventBus } from '@switchboard/core';
import type { ForwardHint } from '../provider-sessions.ts';

export interface HintForwarding {
  forward: ForwardHint;
  /** Receives the hints that other workers forward to this one. */
  start(dispatchHere: (hint: DispatchHint, how: { isForwarded: true }) => boolean): void;
  stop(): void;
}

/**
 * Exchanges hints between workers over the event bus. If a hint is lost, or the other worker has no
 * capacity for it, the sweeper of that worker finds the message.
 */
export function createHintForwarding(dependencies: {
  workerId: string;
  bus: Pick<EventBus, 'publishLater' | 'subscribe'>;
}): HintForwarding {
  const { workerId, bus } = dependencies;
  let unsubscribe: (() => void) | null = null;

  return {
    forward(to, hint) {
      bus.publishLater({ kind: 'hint', workerId: to, ...hint });
    },
    start(dispatchHere) {
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
