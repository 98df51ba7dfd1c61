import type { BusNotice, EventBus } from '@switchboard/core';

export interface NoticeSender {
  /** Never waits, never fails. The hub reads what it misses from the rows: a lost notice only delays. */
  publish(notice: BusNotice): void;
  /** Resolves when all that was given has gone out, or has been told of. */
  sent(): Promise<void>;
}

/** Sends what one turn of the event loop has to tell in one call: changes come in batches. */
export function createNoticeSender(
  bus: Pick<EventBus, 'publish'>,
  onError: (error: unknown) => void,
): NoticeSender {
  let unsent: BusNotice[] = [];
  const underWay = new Set<Promise<void>>();

  function send(): void {
    const notices = unsent;
    unsent = [];
    const sending = bus
      .publish(notices)
      .catch(onError)
      .finally(() => underWay.delete(sending));
    underWay.add(sending);
  }

  return {
    publish(notice) {
      if (unsent.push(notice) === 1) setImmediate(send);
    },
    async sent() {
      if (unsent.length > 0) await new Promise((resolve) => setImmediate(resolve));
      await Promise.all(underWay);
    },
  };
}
