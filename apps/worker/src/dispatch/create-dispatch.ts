import type { Clock, DispatchHint } from '@switchboard/core';
import type { ResolveProviderAccount } from '@switchboard/providers';
import { type TenantQueues, createTenantQueues } from '../tenant-queues.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';
import { type CallProviderDependencies, createCallProvider } from './call-provider.ts';
import { type DispatchMessageDependencies, createDispatchMessage } from './dispatch-message.ts';

/** Limits on the hints that wait in this process. All other rows wait in the database. */
const HINTS_WAITING = { maxWaiting: 2_000, maxWaitingInAll: 20_000 };

const CLOCK: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

interface WaitingHint {
  id: string;
  workspaceId: string;
  hint: DispatchHint;
  isForwarded: boolean;
}

export type DispatchQueues = TenantQueues<WaitingHint>;

/** Creates the queues in which hints wait, one for each workspace, until a slot is free. */
export function createDispatchQueues(concurrency: number): DispatchQueues {
  return createTenantQueues<WaitingHint>({ concurrency, ...HINTS_WAITING });
}

export interface DispatchDependencies
  extends
    Omit<DispatchMessageDependencies, 'callProvider' | 'clock' | 'metrics'>,
    CallProviderDependencies {
  queues: DispatchQueues;
  resolveProviderAccount: ResolveProviderAccount;
  directory: DispatchMessageDependencies['directory'] & CallProviderDependencies['directory'];
  metrics: DispatchMessageDependencies['metrics'] & Pick<WorkerMetrics, 'waiting'>;
}

/** Creates the dispatcher, and starts the messages whose hints wait in the queues. */
export function createDispatch(dependencies: DispatchDependencies) {
  const { queues, metrics } = dependencies;
  const callProvider = createCallProvider(dependencies);
  const dispatchMessage = createDispatchMessage({ ...dependencies, callProvider, clock: CLOCK });
  queues.start(({ hint, isForwarded }, slot) => dispatchMessage(hint, { isForwarded, slot }));

  return {
    dispatchMessage,
    /** Returns false if too many hints of the workspace wait in this process. */
    dispatchHere(hint: DispatchHint, { isForwarded } = { isForwarded: false }): boolean {
      const { messageId: id, workspaceId } = hint;
      const isAccepted = queues.add({ id, workspaceId, hint, isForwarded });
      metrics.waiting.set(queues.waiting);
      return isAccepted;
    },
  };
}
