import type { DispatchHint } from '@switchboard/core';
import { MOST_HINTS_IN_A_JOB, toJob } from './dispatch-job.ts';
import { createFairOrder, type QueueSight } from './fair-order.ts';

const LOOK_EVERY_MS = 100;

/**
 * Makes jobs of hints, in the fair order of the queue they go to. Hints whose turns are near each
 * other share a job, whosever they are: so none goes before its turn by more than a job holds.
 */
export function createHintOrder(options: {
  look(): Promise<QueueSight | null>;
  onError(error: Error): void;
}) {
  const order = createFairOrder();
  let lookedAt = -Infinity;

  return {
    toJobs(hints: readonly DispatchHint[]) {
      const turns = hints
        .map((hint) => ({ hint, priority: order.nextPriority(hint.workspaceId) }))
        .toSorted((a, b) => a.priority - b.priority);
      const bundles: { priority: number; hints: [DispatchHint, ...DispatchHint[]] }[] = [];
      for (const { hint, priority } of turns) {
        const last = bundles.at(-1);
        const isNear = last !== undefined && priority < last.priority + MOST_HINTS_IN_A_JOB;
        if (isNear && last.hints.length < MOST_HINTS_IN_A_JOB) last.hints.push(hint);
        else bundles.push({ priority, hints: [hint] });
      }
      return bundles.map((bundle) => toJob(bundle.hints, bundle.priority));
    },

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
