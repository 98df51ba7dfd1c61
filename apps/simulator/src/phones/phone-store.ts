import type { Journal, JournalRecord } from '../ledger/journal.ts';
import { DELIVERED, type Treatment } from './phone.ts';

/** More numbers than people treat by hand. */
export const MAX_PHONES = 1_000;

export type PhoneStore = ReturnType<typeof createPhoneStore>;

/** Stores how the carrier treats texts to each phone. Others are delivered. */
export function createPhoneStore() {
  const byNumber = new Map<string, Treatment>();

  function set(number: string, treatment: Treatment): void {
    if (treatment.treatment === 'delivered') byNumber.delete(number);
    else byNumber.set(number, treatment);
  }

  return {
    replay({ number, treatment }: Extract<JournalRecord, { type: 'phone' }>): void {
      set(number, treatment);
    },

    find(number: string): Readonly<Treatment> {
      return byNumber.get(number) ?? DELIVERED;
    },

    /** Returns false if the store is full. */
    async put(journal: Journal, number: string, treatment: Treatment): Promise<boolean> {
      const isNew = treatment.treatment !== 'delivered' && !byNumber.has(number);
      if (isNew && byNumber.size >= MAX_PHONES) return false;
      set(number, treatment);
      await journal.append({ type: 'phone', number, treatment });
      return true;
    },

    clear(): void {
      byNumber.clear();
    },
  };
}
