import type { HintProducer } from '@switchboard/core';
import type { MessageStore } from '@switchboard/database';

const PAGE_SIZE = 500;

type Page = Awaited<ReturnType<MessageStore['listReady']>>;

/** Queues a new hint for every message that waits to be sent. Returns how many. */
export function createHintAllAgain(dependencies: {
  store: Pick<MessageStore, 'listReady'>;
  producer: Pick<HintProducer, 'enqueue'>;
}) {
  return async function hintAllAgain(): Promise<number> {
    let after: Page[number] | null = null;
    let count = 0;
    for (;;) {
      const page: Page = await dependencies.store.listReady(after, PAGE_SIZE);
      await dependencies.producer.enqueue(page);
      count += page.length;
      after = page.at(-1) ?? null;
      if (page.length < PAGE_SIZE) return count;
    }
  };
}
