import { type AccountDatabase, changeAccount } from './account-changes.ts';

/** For how long a link works, and the entry of the audit trails that says it was created. */
const LINKS = {
  password_reset: { minutes: 60, action: 'member.reset_link_created' },
  sign_in: { minutes: 15, action: 'member.sign_in_link_created' },
} as const;

/**
 * Stores a link that an operator hands to a user, in place of an earlier one for the same purpose. Returns false if no
 * user has the address.
 */
export function putOperatorLink(
  database: AccountDatabase,
  purpose: keyof typeof LINKS,
  { email, tokenHash }: { email: string; tokenHash: Buffer },
): Promise<boolean> {
  const { minutes, action } = LINKS[purpose];
  return changeAccount(database, { email }, async (tx, record) => {
    const [user] = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO account_tokens (user_id, purpose, token_hash, email, is_mailed, expires_at)
      SELECT id, ${purpose}, ${new Uint8Array(tokenHash)}, email, false,
        now() + ${minutes}::int * interval '1 minute'
      FROM users WHERE email = ${email}
      ON CONFLICT (user_id, purpose) DO UPDATE SET token_hash = excluded.token_hash,
        email = excluded.email, is_mailed = false, expires_at = excluded.expires_at
      RETURNING user_id AS id`;
    if (user === undefined) return false;
    await record(user.id, action, 'operator', { email });
    return true;
  });
}
