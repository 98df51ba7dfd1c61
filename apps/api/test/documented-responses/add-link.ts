import { type LinkPurpose, createLinkToken, hashToken } from '@switchboard/credentials';
import { createWorkspaceFixture } from '@switchboard/testing';
import { pool, postgres } from './environment.ts';

/** Adds a user with a link. Its use ends sessions and changes the password. */
export async function addLink(purpose: LinkPurpose, email = ''): Promise<string> {
  const { userId, email: own } = await createWorkspaceFixture(postgres.url);
  const token = createLinkToken(purpose);
  const address = email === '' ? own : email;
  await pool.query('UPDATE users SET pending_email = $2 WHERE id = $1', [userId, address]);
  await pool.query(
    `INSERT INTO account_tokens (user_id, purpose, token_hash, email, is_mailed, expires_at)
     VALUES ($1, $2, $3, $4, true, now() + interval '1 hour')`,
    [userId, purpose, hashToken(token), address],
  );
  return token;
}
