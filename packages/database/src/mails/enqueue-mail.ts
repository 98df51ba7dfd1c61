import type { Prisma } from '../generated/client.ts';

/** A mail that a worker has to send. */
export type MailRequest =
  /** To an address that may belong to no user, so that the request does the same for every address. */
  | { kind: 'password_reset' | 'email_confirmation'; recipient: string }
  | { kind: 'email_change' | 'email_change_notice'; recipient: string; userId: string }
  | { kind: 'invitation'; recipient: string; workspaceId: string };

/** For how long a worker tries to send a mail, in seconds. */
const LIFETIME_S: Record<MailRequest['kind'], number> = {
  password_reset: 2 * 3_600,
  email_confirmation: 24 * 3_600,
  email_change: 24 * 3_600,
  email_change_notice: 24 * 3_600,
  invitation: 24 * 3_600,
};

/**
 * Stores the request for a mail. A repeated request is the same row again, so that a flood of requests is one mail.
 */
export async function enqueueMail(
  client: Pick<Prisma.TransactionClient, '$executeRaw'>,
  mail: MailRequest,
): Promise<void> {
  const { kind, recipient } = mail;
  const userId = 'userId' in mail ? mail.userId : null;
  const workspaceId = 'workspaceId' in mail ? mail.workspaceId : null;
  const key = [kind, workspaceId ?? userId ?? '', userId === null ? recipient : ''].join(':');
  await client.$executeRaw`
    INSERT INTO mails AS m (key, kind, recipient, user_id, workspace_id, expires_at)
    VALUES (${key}, ${kind}, ${recipient}, ${userId}::uuid, ${workspaceId}::uuid,
      now() + ${LIFETIME_S[kind]}::int * interval '1 second')
    ON CONFLICT (key) DO UPDATE SET recipient = excluded.recipient, version = m.version + 1,
      attempts = 0, next_attempt_at = excluded.next_attempt_at, expires_at = excluded.expires_at`;
}
