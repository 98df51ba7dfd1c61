import type { Journal, JournalRecord } from '../ledger/journal.ts';

const ACCOUNT_SID = /^AC[0-9a-fA-F]{32}$/;

export interface Account {
  token: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

export type AccountStore = ReturnType<typeof createAccountStore>;

/** Accounts come into being by use: the first token seen for an AccountSid is its token. */
export function createAccountStore() {
  const accounts = new Map<string, Account>();

  return {
    replay(record: Extract<JournalRecord, { type: 'token' }>): void {
      accounts.set(record.accountSid, { token: record.token, createdAt: record.at });
    },

    /** Whether these are the account's credentials; takes an unknown account's token as its own. */
    async authenticate(journal: Journal, accountSid: string, token: string): Promise<boolean> {
      const known = accounts.get(accountSid);
      if (known !== undefined) return known.token === token;
      if (!ACCOUNT_SID.test(accountSid) || token === '') return false;
      const at = Date.now();
      // Before the write: of two first tokens in one turn only one may win.
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
