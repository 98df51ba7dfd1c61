import { randomBytes } from 'node:crypto';
import type { Journal, JournalRecord } from '../ledger/journal.ts';
import type { PhoneNumber } from './owned-number.ts';

export type NumberStore = ReturnType<typeof createNumberStore>;

/** Stores the numbers of accounts. A free number is assigned to the first account that lists it. */
export function createNumberStore() {
  const byNumber = new Map<string, PhoneNumber>();

  return {
    replay({ number }: Extract<JournalRecord, { type: 'number' }>): void {
      byNumber.set(number.phoneNumber, number);
    },

    find(phoneNumber: string): PhoneNumber | null {
      return byNumber.get(phoneNumber) ?? null;
    },

    findBySid(accountSid: string, sid: string): PhoneNumber | null {
      return this.ownedBy(accountSid).find((number) => number.sid === sid) ?? null;
    },

    all(): Iterable<PhoneNumber> {
      return byNumber.values();
    },

    ownedBy(accountSid: string): PhoneNumber[] {
      return [...byNumber.values()].filter((number) => number.accountSid === accountSid);
    },

    /** Assigns the number to the account if it is free. */
    async claim(journal: Journal, accountSid: string, phoneNumber: string): Promise<void> {
      if (byNumber.has(phoneNumber)) return;
      const now = Date.now();
      const number: PhoneNumber = {
        sid: `PN${randomBytes(16).toString('hex')}`,
        accountSid,
        phoneNumber,
        friendlyName: phoneNumber,
        smsUrl: '',
        smsMethod: 'POST',
        smsApplicationSid: '',
        createdAt: now,
        updatedAt: now,
      };
      byNumber.set(phoneNumber, number);
      await journal.append({ type: 'number', number });
    },

    async update(
      journal: Journal,
      number: PhoneNumber,
      changes: Partial<
        Pick<PhoneNumber, 'friendlyName' | 'smsUrl' | 'smsMethod' | 'smsApplicationSid'>
      >,
    ): Promise<void> {
      Object.assign(number, changes, { updatedAt: Date.now() });
      await journal.append({ type: 'number', number });
    },

    *records(): Generator<JournalRecord> {
      for (const number of byNumber.values()) yield { type: 'number', number };
    },
  };
}
