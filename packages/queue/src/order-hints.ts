import type { DispatchHint } from '@switchboard/core';
import { toJob } from './dispatch-job.ts';
import { createFairOrder, type QueueSight } from './fair-order.ts';

const LOOK_EVERY_MS = 100;

/** Makes jobs of hints, in the fair order of the queue they go to. */
export function createHintOrder(options: {
  look(): Promise<QueueSight | null>;
  onError(error: Error): void;
}) {
  const order = createFairOrder();
  let lookedAt = -Infinity;

  return {
    toJobs: (hints: readonly DispatchHint[]) =>
      hints.map((hint) => toJob(hint, order.nextPriority(hint.workspaceId))),

    /** To be called when hints have been queued. Nobody waits for it, and seldom does it look. */
    keepUp(): void {
      if (performance.now() - lookedAt < LOOK_EVERY_MS) return;
      lookedAt = performance.now();
      options.look().then((sight) => {
        if (sight !== null) order.observe(sight);
      }, options.onError);
    },
  };
}
