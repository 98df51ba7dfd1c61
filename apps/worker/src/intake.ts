import { type DispatchHint, type HintConsumer, INTAKE_CONCURRENCY } from '@switchboard/core';
import { createHintConsumer } from '@switchboard/queue';
import type { Infrastructure } from './infrastructure.ts';
import type { StartLatch } from './start-latch.ts';

/** How long a job stays in the queue if its workspace has enough hints waiting in this process. */
const CAPACITY_TIMEOUT_MS = 250;

/**
 * Takes hints from the queue. A hint counts as processed once it waits in this process. The intake takes
 * hints no faster than this process sends their messages, so a backlog stays in the queue, where the
 * order is fair and all workers share it.
 */
export function createIntake(dependencies: {
  queueOptions: Infrastructure['queueOptions'];
  latch: Pick<StartLatch, 'opened'>;
  dispatchHere(hint: DispatchHint): boolean;
  waitForCapacity(workspaceId: string, timeoutMs: number): Promise<void>;
}): HintConsumer {
  return createHintConsumer({
    ...dependencies.queueOptions,
    concurrency: INTAKE_CONCURRENCY,
    process: async (hints) => {
      // The worker must not use a database whose schema is older than this version.
      if (!(await dependencies.latch.opened)) return;
      for (const hint of hints) dependencies.dispatchHere(hint);
      const workspaceIds = new Set(hints.map((hint) => hint.workspaceId));
      await Promise.all(
        [...workspaceIds].map((id) => dependencies.waitForCapacity(id, CAPACITY_TIMEOUT_MS)),
      );
    },
  });
}
