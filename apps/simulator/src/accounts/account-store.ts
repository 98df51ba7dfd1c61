import type { Journal, JournalRecord } from '../ledger/journal.ts';

const ACCOUNT_SID = /^AC[0-9a-fA-F]{32}$/;

export interface Account {
  token: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

export type AccountStore = ReturnType<typeof createAccountStore>;

/** Accounts are created on first use: the first token sent for an AccountSid becomes its token. */
export function createAccountStore() {
  const accounts = new Map<string, Account>();

  return {
    replay(record: Extract<JournalRecord, { type: 'token' }>): void {
      accounts.set(record.accountSid, { token: record.token, createdAt: record.at });
    },

    /** Returns whether the credentials are valid. Creates the account on its first request. */
    async authenticate(journal: Journal, accountSid: string, token: string): Promise<boolean> {
      const existing = accounts.get(accountSid);
      if (existing !== undefined) return existing.token === token;
      if (!ACCOUNT_SID.test(accountSid) || token === '') return false;
      const at = Date.now();
      // Set before the write, so that of two concurrent first requests only one sets the token.
      accounts.set(accountSid, { token, createdAt: at });
      await journal.append({ type: 'token', accountSid, token, at });
      return true;
    },

    /** Throws for an account that never authenticated. */
    get(accountSid: string): Account {
      const account = accounts.get(accountSid);
      if (account === undefined) throw new Error(`No account ${accountSid}`);
      return account;
    },

    *records(): Generator<JournalRecord> {
      for (const [accountSid, { token, createdAt }] of accounts) {
        yield { type: 'token', accountSid, token, at: createdAt };
      }
    },
  };
}
