import type { Journal, JournalRecord } from '../ledger/journal.ts';
import type { VendorAccount } from './vendor-account.ts';

export type VendorAccountStore = ReturnType<typeof createVendorAccountStore>;

export function createVendorAccountStore() {
  const byId = new Map<string, VendorAccount>();

  return {
    replay({ account }: Extract<JournalRecord, { type: 'vendor_account' }>): void {
      byId.set(account.id, account);
    },

    find(id: string): VendorAccount | null {
      return byId.get(id) ?? null;
    },

    findBySecret(provider: VendorAccount['provider'], secret: string): VendorAccount | null {
      const all = [...byId.values()];
      return all.find((each) => each.provider === provider && each.secret === secret) ?? null;
    },

    findByApiKey(key: string): VendorAccount | null {
      const all = [...byId.values()];
      return all.find(({ provider, groupId }) => provider === 'vonage' && groupId === key) ?? null;
    },

    async put(journal: Journal, account: VendorAccount): Promise<void> {
      byId.set(account.id, account);
      await journal.append({ type: 'vendor_account', account });
    },

    *records(): Generator<JournalRecord> {
      for (const account of byId.values()) yield { type: 'vendor_account', account };
    },
  };
}
