import {
  type DispatchHint,
  GATHER_WHEN_BUSY,
  type HintProducer,
  createBackgroundBatch,
} from '@switchboard/core';
import type { Span, Tracer } from '@switchboard/runtime';

export interface HintLaterOptions {
  hints: Pick<HintProducer, 'enqueue'>;
  tracer: Tracer | null;
  onFailed(error: unknown, count: number): void;
}

/**
 * Queues hints in the background, so that they do not delay the response. The sweeper finds
 * messages whose hint failed.
 */
export function createHintLater({ hints, tracer, onFailed }: HintLaterOptions) {
  // Kept alongside the hints, because traces are not stored in the queue.
  const spans = new WeakMap<DispatchHint, Span>();
  const queue = createBackgroundBatch<DispatchHint>({
    run: tracer === null ? (batch) => hints.enqueue(batch) : runTraced,
    maxSize: 500,
    // One batch at a time: hints that arrive during a batch share jobs.
    concurrency: 1,
    maxWaiting: 20_000,
    gather: GATHER_WHEN_BUSY,
    onFailed(error, batch) {
      for (const hint of batch) spans.get(hint)?.end({ failure: 'not queued' });
      onFailed(error, batch.length);
    },
  });

  async function runTraced(batch: readonly DispatchHint[]): Promise<void> {
    await hints.enqueue(batch);
    for (const hint of batch) spans.get(hint)?.end();
  }

  return function hintLater(hint: DispatchHint, traceParent: string | null): void {
    const span = tracer?.startSpan('queue hint', { kind: 'producer', parent: traceParent });
    if (span !== undefined) spans.set(hint, span);
    queue(hint);
  };
}
