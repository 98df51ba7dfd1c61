import { type ProvedAccount, type StatusAdvance, planAdvance } from '../dispatch/plan-advance.ts';
import type { DispatchPolicy } from '../dispatch/dispatch-policy.ts';
import type { BusNotification } from '../ports/event-bus.ts';
import type { StatusCallback } from '../ports/status-callback.ts';

export interface AdvanceDependencies<
  Advanced extends { id: string; workspaceId: string; seq: number },
> {
  messages: { advance(advance: StatusAdvance): Promise<Advanced | null> };
  publishLater(notification: BusNotification): void;
  policy: Pick<DispatchPolicy, 'pollsMs'>;
  metrics: { failedWrites: { inc(): void } };
}

/**
 * Records a status callback in one statement, if it has the usual effect on the message that it names.
 * Returns null if nothing was written: `RecordStatusCallback` then reads the message and decides.
 */
export type AdvanceByCallback<Advanced> = (
  account: ProvedAccount,
  callback: StatusCallback,
) => Promise<Advanced | null>;

export function createAdvanceByCallback<
  Advanced extends { id: string; workspaceId: string; seq: number },
>(dependencies: AdvanceDependencies<Advanced>): AdvanceByCallback<Advanced> {
  const { messages, publishLater, policy, metrics } = dependencies;

  return async function advanceByCallback(account, callback) {
    const planned = planAdvance(account, callback, policy);
    if (planned === null) return null;
    try {
      const advanced = await messages.advance(planned);
      if (advanced === null) return null;
      const { id: messageId, workspaceId, seq } = advanced;
      publishLater({ kind: 'message', workspaceId, messageId, seq });
      return advanced;
    } catch (error) {
      metrics.failedWrites.inc();
      throw error;
    }
  };
}
