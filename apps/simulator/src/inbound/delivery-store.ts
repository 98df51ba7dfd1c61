import type { Journal, JournalRecord } from '../ledger/journal.ts';

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/** The inbound messages whose webhook was answered with 2xx, by sid. */
export function createDeliveryStore() {
  const delivered = new Set<string>();

  return {
    replay({ sid }: Extract<JournalRecord, { type: 'delivered' }>): void {
      delivered.add(sid);
    },

    has(sid: string): boolean {
      return delivered.has(sid);
    },

    async add(journal: Journal, sid: string): Promise<void> {
      delivered.add(sid);
      await journal.append({ type: 'delivered', sid });
    },

    clear(): void {
      delivered.clear();
    },
  };
}
