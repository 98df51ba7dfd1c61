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

/** Queues hints after the answer, and never in its way: what fails here is the sweeper's to find. */
export function createHintLater({ hints, tracer, onFailed }: HintLaterOptions) {
  // Beside the hints: of a trace, the queue gets nothing.
  const spans = new WeakMap<DispatchHint, Span>();
  const queue = createBackgroundBatch<DispatchHint>({
    run: tracer === null ? (batch) => hints.enqueue(batch) : runTraced,
    maxSize: 500,
    // One at a time: what gathers meanwhile shares jobs.
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
