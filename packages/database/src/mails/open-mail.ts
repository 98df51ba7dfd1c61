import type pg from 'pg';
import { runStatement } from '../run-statement.ts';
import type { MailRequest, AccountNotice } from './enqueue-mail.ts';

export interface DueMail {
  key: string;
  kind: MailRequest['kind'];
  recipient: string;
  userId: string | null;
  workspaceId: string | null;
  version: number;
  /** Including the attempt that begins. */
  attempts: number;
}

/** What the mail says besides its fixed text. */
export type OpenedMail =
  | {
      kind:
        | 'password_reset'
        | 'email_confirmation'
        | 'email_change'
        | 'email_change_notice'
        | AccountNotice;
    }
  | { kind: 'invitation'; workspaceName: string; inviterName: string };

/** Replaces the user's token of the same purpose. Only the users that `condition` selects get one. */
const putToken = (purpose: 'password_reset' | 'email', lifetime: string, condition: string) => `
  INSERT INTO account_tokens (user_id, purpose, token_hash, email, is_mailed, expires_at)
  SELECT id, '${purpose}', $2, $1, true, now() + interval '${lifetime}' FROM users WHERE ${condition}
  ON CONFLICT (user_id, purpose) DO UPDATE SET token_hash = excluded.token_hash,
    email = excluded.email, is_mailed = excluded.is_mailed, expires_at = excluded.expires_at
  RETURNING 1`;

const STATEMENTS = {
  password_reset: putToken('password_reset', '1 hour', 'email = $1'),
  email_confirmation: putToken(
    'email',
    '24 hours',
    'email = $1 AND email_confirmed_at IS NULL AND pending_email IS NULL',
  ),
  email_change: putToken('email', '24 hours', 'id = $3 AND pending_email = $1'),
} as const;

/** See `MailStore.open`. */
export async function openMail(
  pool: pg.Pool,
  { kind, recipient, userId, workspaceId }: DueMail,
  tokenHash: Buffer,
): Promise<OpenedMail | null> {
  switch (kind) {
    case 'password_reset':
    case 'email_confirmation': {
      const rows = await runStatement(pool, STATEMENTS[kind], [recipient, tokenHash]);
      return rows.length === 0 ? null : { kind };
    }
    case 'email_change': {
      const rows = await runStatement(pool, STATEMENTS[kind], [recipient, tokenHash, userId]);
      return rows.length === 0 ? null : { kind };
    }
    case 'email_change_notice':
    case 'second_factor_enabled':
    case 'second_factor_disabled':
    case 'recovery_codes_created':
    case 'recovery_code_used':
    case 'second_factor_failures':
    case 'identity_connected':
    case 'identity_disconnected':
    case 'account_closed':
      return { kind };
    case 'invitation': {
      const [found] = await runStatement<{ workspaceName: string; inviterName: string }>(
        pool,
        `UPDATE invites i SET mail_token_hash = $3
         FROM workspaces w, users u
         WHERE i.workspace_id = $1 AND i.email = $2 AND i.expires_at > now()
           AND w.id = i.workspace_id AND u.id = i.invited_by
         RETURNING w.name AS "workspaceName", u.name AS "inviterName"`,
        [workspaceId, recipient, tokenHash],
      );
      return found === undefined ? null : { kind, ...found };
    }
  }
}
