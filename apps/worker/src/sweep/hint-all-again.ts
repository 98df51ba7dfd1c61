import type { HintProducer } from '@switchboard/core';
import type { MessageStore } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';

const PAGE_SIZE = 500;

/** The queue has lost what it held: every message that waits to be sent gets a new hint. */
export function createHintAllAgain(deps: {
  store: Pick<MessageStore, 'listReady'>;
  producer: Pick<HintProducer, 'enqueue'>;
  logger: Logger;
}) {
  return async function hintAllAgain(): Promise<void> {
    let afterId: string | null = null;
    let count = 0;
    for (;;) {
      const page = await deps.store.listReady(afterId, PAGE_SIZE);
      await deps.producer.enqueue(page);
      count += page.length;
      afterId = page.at(-1)?.messageId ?? null;
      if (page.length < PAGE_SIZE) break;
    }
    if (count > 0) deps.logger.warn({ count }, 'the queue was emptied, hinted all messages again');
  };
}
