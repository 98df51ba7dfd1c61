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
  let firstLook: Promise<void> | null = null;

  async function look(): Promise<void> {
    lookedAt = performance.now();
    const sight = await options.look();
    if (sight !== null) order.observe(sight);
  }

  return {
    /**
     * Waits for the first look: the numbers of a queue never seen would go before all that waits.
     * Fails with it, and when its caller has given up meanwhile: what is refused must not be queued.
     */
    async toJobs(hints: readonly DispatchHint[], givesUpAt: number) {
      firstLook ??= look().catch((error: unknown) => {
        firstLook = null;
        throw error;
      });
      await firstLook;
      if (performance.now() >= givesUpAt) throw new Error('the look at the queue took too long');
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
      if (performance.now() - lookedAt >= LOOK_EVERY_MS) look().catch(options.onError);
    },
  };
}
