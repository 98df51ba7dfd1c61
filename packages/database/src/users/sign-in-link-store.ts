import { type AccountDatabase, changeAccount, withToken } from './account-changes.ts';
import { putOperatorLink } from './put-operator-link.ts';
import type { User } from './user-store.ts';

/** Links with which an operator lets a user in. A link works once, and only the newest one. */
export interface SignInLinkStore {
  /** Stores a link for 15 minutes. Returns false if no user has the address. */
  put(email: string, tokenHash: Buffer): Promise<boolean>;
  /** Returns the user; null for an unknown, used, expired or replaced token. */
  use(tokenHash: Buffer, ip: string): Promise<User | null>;
}

export function createSignInLinkStore(database: AccountDatabase): SignInLinkStore {
  return {
    put: (email, tokenHash) => putOperatorLink(database, 'sign_in', { email, tokenHash }),

    use(tokenHash, ip) {
      return changeAccount(database, withToken(tokenHash), async (tx, record) => {
        // The deletion makes a concurrent request with the same token wait, and then find nothing.
        const [user] = await tx.$queryRaw<User[]>`
          DELETE FROM account_tokens t USING users u
          WHERE t.token_hash = ${new Uint8Array(tokenHash)} AND t.purpose = 'sign_in'
            AND t.expires_at > now() AND u.id = t.user_id AND u.email = t.email
          RETURNING u.id, u.email, u.name`;
        if (user === undefined) return null;
        await record(user.id, 'member.sign_in_link_used', { ip });
        return user;
      });
    },
  };
}
