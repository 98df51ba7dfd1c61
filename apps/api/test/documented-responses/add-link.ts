import { randomUUID } from 'node:crypto';
import {
  type LinkPurpose,
  createLinkToken,
  createPendingToken,
  hashToken,
} from '@switchboard/credentials';
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

/** Connects a user with an identity provider. */
export async function connectIdentity(userId: string): Promise<void> {
  await pool.query(
    `INSERT INTO user_identities (issuer, subject, user_id) VALUES ('https://id.example.com', $1::text, $1::text::uuid)
     ON CONFLICT DO NOTHING`,
    [userId],
  );
}

/** Adds what the callback of the identity provider leaves; returns the headers of the browser. */
export async function addPendingSession(userId: string): Promise<{ cookie: string }> {
  const token = createPendingToken();
  await pool.query(
    `INSERT INTO sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, sign_in_method)
     VALUES ($1, $2, $3, now(), now(), now() + interval '1 minute', 'single_sign_on')`,
    [randomUUID(), userId, hashToken(token)],
  );
  return { cookie: `switchboard_sign_in=${token}` };
}
