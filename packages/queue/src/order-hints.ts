import type { DispatchHint } from '@switchboard/core';
import { MAX_HINTS_PER_JOB, toJob } from './dispatch-job.ts';
import { createFairOrder, type QueueSnapshot } from './fair-order.ts';

const SAMPLE_EVERY_MS = 100;

/**
 * Creates the jobs for hints, in the fair order of their queue. Hints of any workspaces share a job
 * if their priorities are close, so a hint is early by less than `MAX_HINTS_PER_JOB`.
 */
export function createHintOrder(options: {
  sampleQueue(): Promise<QueueSnapshot | null>;
  onError(error: Error): void;
}) {
  const order = createFairOrder();
  let sampledAt = -Infinity;
  let firstSample: Promise<void> | null = null;

  async function sample(): Promise<void> {
    sampledAt = performance.now();
    const snapshot = await options.sampleQueue();
    if (snapshot !== null) order.observe(snapshot);
  }

  return {
    /**
     * Waits for the first snapshot: without one, the new hints would go before all waiting hints.
     * Rejects after `deadline` (by `performance.now()`): the caller has timed out by then, so the
     * hints must not be queued.
     */
    async toJobs(hints: readonly DispatchHint[], deadline: number) {
      firstSample ??= sample().catch((error: unknown) => {
        firstSample = null;
        throw error;
      });
      await firstSample;
      if (performance.now() >= deadline) throw new Error('reading the queue took too long');
      const turns = hints
        .map((hint) => ({ hint, priority: order.nextPriority(hint.workspaceId) }))
        .toSorted((a, b) => a.priority - b.priority);
      const bundles: { priority: number; hints: [DispatchHint, ...DispatchHint[]] }[] = [];
      for (const { hint, priority } of turns) {
        const last = bundles.at(-1);
        const isNear = last !== undefined && priority < last.priority + MAX_HINTS_PER_JOB;
        if (isNear && last.hints.length < MAX_HINTS_PER_JOB) last.hints.push(hint);
        else bundles.push({ priority, hints: [hint] });
      }
      return bundles.map((bundle) => toJob(bundle.hints, bundle.priority));
    },

    /** Must be called after hints were queued. Takes a snapshot when the last one is old. */
    refreshSnapshot(): void {
      if (performance.now() - sampledAt >= SAMPLE_EVERY_MS) sample().catch(options.onError);
    },
  };
}
