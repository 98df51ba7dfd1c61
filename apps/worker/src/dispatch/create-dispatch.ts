import type { Clock, DispatchHint } from '@switchboard/core';
import type { ResolveProviderAccount } from '@switchboard/providers';
import { createTenantQueues } from '../tenant-queues.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';
import type { Sessions } from '../provider-sessions.ts';
import { createCallProvider } from './call-provider.ts';
import { type DispatchMessageDependencies, createDispatchMessage } from './dispatch-message.ts';

/** Limits on the hints that wait in this process. All other rows wait in the database. */
const HINTS_WAITING = { maxWaiting: 2_000, maxWaitingInAll: 20_000 };

const CLOCK: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

export interface DispatchDependencies extends Omit<
  DispatchMessageDependencies,
  'callProvider' | 'clock' | 'metrics'
> {
  resolveProviderAccount: ResolveProviderAccount;
  publicUrl: string;
  mediaLinks: Parameters<typeof createCallProvider>[0]['mediaLinks'];
  sessions: Pick<Sessions, 'locate' | 'forward' | 'call' | 'hasEnded'>;
  concurrency: number;
  metrics: DispatchMessageDependencies['metrics'] & Pick<WorkerMetrics, 'waiting'>;
}

interface WaitingHint {
  id: string;
  workspaceId: string;
  hint: DispatchHint;
  isForwarded: boolean;
}

/** Creates the dispatcher: hints wait in one queue for each workspace until a slot is free. */
export function createDispatch(deps: DispatchDependencies) {
  const { concurrency, metrics } = deps;
  const callProvider = createCallProvider(deps);
  const dispatchMessage = createDispatchMessage({ ...deps, callProvider, clock: CLOCK });
  const queues = createTenantQueues<WaitingHint>({
    concurrency,
    ...HINTS_WAITING,
    run: ({ hint, isForwarded }, slot) => dispatchMessage(hint, { isForwarded, slot }),
  });

  return {
    dispatchMessage,
    queues,
    /** Returns false if too many hints of the workspace wait in this process. */
    dispatchHere(hint: DispatchHint, { isForwarded } = { isForwarded: false }): boolean {
      const { messageId: id, workspaceId } = hint;
      const isAccepted = queues.add({ id, workspaceId, hint, isForwarded });
      metrics.waiting.set(queues.waiting);
      return isAccepted;
    },
  };
}
