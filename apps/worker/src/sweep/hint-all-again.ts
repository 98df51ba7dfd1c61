import type { HintProducer } from '@switchboard/core';
import type { MessageStore } from '@switchboard/database';

const PAGE_SIZE = 500;

/** Queues a new hint for every message that waits to be sent. Returns how many. */
export function createHintAllAgain(dependencies: {
  store: Pick<MessageStore, 'listReady'>;
  producer: Pick<HintProducer, 'enqueue'>;
}) {
  return async function hintAllAgain(): Promise<number> {
    let afterId: string | null = null;
    let count = 0;
    for (;;) {
      const page = await dependencies.store.listReady(afterId, PAGE_SIZE);
      await dependencies.producer.enqueue(page);
      count += page.length;
      afterId = page.at(-1)?.messageId ?? null;
      if (page.length < PAGE_SIZE) return count;
    }
  };
}
