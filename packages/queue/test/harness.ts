import type { DispatchHint, HintConsumer, HintProducer } from '@switchboard/core';

import { createHintConsumer } from '../src/create-hint-consumer.ts';
import { createHintProducer } from '../src/create-hint-producer.ts';
import type { ConsumerOptions, QueueOptions } from '../src/queue-options.ts';

/** The timeout of calls that must succeed, even on a busy machine. */
const LONG_TIMEOUT_MS = 10_000;
/** The timeout of calls that must fail. */
export const TIMEOUT_MS = 500;
/** A call that must fail takes less, even on a busy machine. Without its timeout, it would never end. */
export const IN_TIME_MS = 15_000;

let made = 0;

export function makeHints(count: number): DispatchHint[] {
  return Array.from({ length: count }, () => {
    made += 1;
    return { messageId: `message-${made}`, workspaceId: 'workspace', requestId: `request-${made}` };
  });
}

/** Adds the hints one at a time, so that no two share a job. */
export async function enqueueApart(
  producer: HintProducer,
  hints: readonly DispatchHint[],
): Promise<void> {
  for (const hint of hints) await producer.enqueue([hint]);
}

export function idsOf(hints: readonly DispatchHint[]): string[] {
  return hints.map((hint) => hint.messageId).toSorted();
}

/** Creates producers and consumers, and closes them all at the end of the test. */
export function createHarness(
  options: Omit<QueueOptions, 'timeoutMs' | 'onError'>,
  timeoutMs = LONG_TIMEOUT_MS,
) {
  const errors: Error[] = [];
  const opened: (HintProducer | HintConsumer)[] = [];
  const common = {
    ...options,
    timeoutMs,
    onError: (error: Error) => errors.push(error),
  };
  return {
    /** The reported background errors. */
    errors,
    produce(): HintProducer {
      const producer = createHintProducer(common);
      opened.push(producer);
      return producer;
    },
    consume(
      consumer: Partial<Pick<ConsumerOptions, 'concurrency' | 'process' | 'timeoutMs'>> = {},
    ) {
      const taken: DispatchHint[] = [];
      const started = createHintConsumer({
        ...common,
        timeoutMs: consumer.timeoutMs ?? timeoutMs,
        concurrency: consumer.concurrency ?? 5,
        async process(hints) {
          taken.push(...hints);
          await consumer.process?.(hints);
        },
      });
      opened.push(started);
      return Object.assign(started, { taken });
    },
    async close(): Promise<void> {
      await Promise.all(opened.map((each) => each.close(0)));
    },
  };
}

export interface Gate {
  opened: Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
