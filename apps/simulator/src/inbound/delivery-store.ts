import type { Journal, JournalRecord } from '../ledger/journal.ts';

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/** The state of the webhook of each inbound message, by sid. */
export function createDeliveryStore() {
  const delivered = new Set<string>();
  const inProgress = new Set<string>();

  return {
    replay({ sid }: Extract<JournalRecord, { type: 'delivered' }>): void {
      delivered.add(sid);
    },

    /** Whether the webhook was answered with 2xx. */
    has(sid: string): boolean {
      return delivered.has(sid);
    },

    stateOf(sid: string): 'sending' | 'delivered' | 'failed' {
      return delivered.has(sid) ? 'delivered' : inProgress.has(sid) ? 'sending' : 'failed';
    },

    start(sid: string): void {
      inProgress.add(sid);
    },

    async finish(journal: Journal, sid: string, isDelivered: boolean): Promise<void> {
      inProgress.delete(sid);
      if (!isDelivered) return;
      delivered.add(sid);
      await journal.append({ type: 'delivered', sid });
    },

    clear(): void {
      delivered.clear();
      inProgress.clear();
    },
  };
}
