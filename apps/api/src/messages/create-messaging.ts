import { type DispatchPolicy, createTransition } from '@switchboard/core';
import type { Tracer } from '@switchboard/runtime';
import type { ApiConfig } from '../config.ts';
import { createCountTestMessage } from '../count-test-messages.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Stores } from '../stores.ts';
import { createAcceptMessage } from './accept-message.ts';
import { createRunOnce } from './batch/batch-keys.ts';
import { createStoreBatch } from './batch/store-batch.ts';
import { createCancelMessage } from './cancel-message.ts';
import { createHintLater } from './hint-later.ts';
import { createMessageWaiter } from './message-waiter.ts';
import { createUseMedia } from './use-media.ts';

/** Creates the functions that accept, change and cancel messages. */
export function createMessaging(options: {
  config: ApiConfig;
  infrastructure: Infrastructure;
  stores: Stores;
  policy: DispatchPolicy;
  metrics: Parameters<typeof createTransition>[0]['metrics'] & {
    failedHints: { inc(count: number): void };
  };
  tracer: Tracer | null;
}) {
  const { config, infrastructure, stores, policy, metrics, tracer } = options;
  const { bus, clock, hints, limits, reportError } = infrastructure;
  const { messages, idempotency, mediaFiles, unmatchedCallbacks } = stores;
  const { publishLater } = bus;
  const waiter = createMessageWaiter(bus);
  const countTestMessage = createCountTestMessage(limits, config.TEST_MESSAGES_PER_DAY);
  const hintLater = createHintLater({
    hints,
    tracer,
    onFailed(error, count) {
      metrics.failedHints.inc(count);
      reportError('queue')(error);
    },
  });
  const { transition } = createTransition({
    store: messages,
    unmatchedCallbacks,
    publishLater,
    policy,
    metrics,
  });

  const acceptMessage = createAcceptMessage({
    messages,
    idempotency,
    useMedia: createUseMedia(mediaFiles),
    hintLater,
    publishLater,
    countTestMessage,
    waiter,
    onWaitFailed: reportError('provider wait'),
    clock,
    tracer,
  });

  return {
    hintLater,
    transition,
    acceptMessage,
    countTestMessage,
    storeBatch: createStoreBatch(acceptMessage, { messages, idempotency, mediaFiles }),
    runBatchOnce: createRunOnce({
      idempotency,
      clock,
      isEnding: waiter.hasEnded,
      onReleaseFailed: reportError('database'),
    }),
    cancelMessage: createCancelMessage(transition),
    sendWaitSeconds: config.SEND_WAIT_SECONDS,
    endWaits: () => waiter.endWaiting(),
  };
}
