import type { Prisma } from '../generated/client.ts';
import { named } from '../named-statement.ts';

/** A mail that a worker has to send. */
export type MailRequest =
  /** To an address that may belong to no user, so that the request does the same for every address. */
  | { kind: 'password_reset' | 'email_confirmation'; recipient: string }
  | { kind: 'email_change' | 'email_change_notice'; recipient: string; userId: string }
  | { kind: AccountNotice; recipient: string; userId: string }
  | { kind: 'invitation'; recipient: string; workspaceId: string };

/** Reports to a user what happened to the account. */
export type AccountNotice =
  | SecondFactorNotice
  | 'identity_connected'
  | 'identity_disconnected'
  | 'account_closed';

export type SecondFactorNotice =
  | 'second_factor_enabled'
  | 'second_factor_disabled'
  | 'recovery_codes_created'
  | 'recovery_code_used'
  /** Wrong codes after the right password. */
  | 'second_factor_failures';

/** For how long a worker tries to send a mail, in seconds. */
const LIFETIME_S: Record<MailRequest['kind'], number> = {
  password_reset: 2 * 3_600,
  email_confirmation: 24 * 3_600,
  email_change: 24 * 3_600,
  email_change_notice: 24 * 3_600,
  invitation: 24 * 3_600,
  second_factor_enabled: 24 * 3_600,
  second_factor_disabled: 24 * 3_600,
  recovery_codes_created: 24 * 3_600,
  recovery_code_used: 24 * 3_600,
  second_factor_failures: 24 * 3_600,
  identity_connected: 24 * 3_600,
  identity_disconnected: 24 * 3_600,
  account_closed: 24 * 3_600,
};

const INSERT_MAIL = `
INSERT INTO mails AS m (key, kind, recipient, user_id, workspace_id, expires_at)
VALUES (:key::text, :kind::text, :recipient::text, :userId::uuid, :workspaceId::uuid,
  now() + :lifetime::int * interval '1 second')
ON CONFLICT (key) DO UPDATE SET recipient = excluded.recipient, version = m.version + 1,
  attempts = 0, next_attempt_at = excluded.next_attempt_at, expires_at = excluded.expires_at`;

/** Returns the statement that stores the request for a mail. A repeated request has the same key, so that a flood of requests is one mail. */
export function insertMail(mail: MailRequest): [text: string, values: unknown[]] {
  const { kind, recipient } = mail;
  const userId = 'userId' in mail ? mail.userId : null;
  const workspaceId = 'workspaceId' in mail ? mail.workspaceId : null;
  const key = [kind, workspaceId ?? userId ?? '', userId === null ? recipient : ''].join(':');
  return named(INSERT_MAIL, {
    key,
    kind,
    recipient,
    userId,
    workspaceId,
    lifetime: LIFETIME_S[kind],
  });
}

/** Stores the request for a mail in the transaction of its change. */
export async function enqueueMail(
  tx: Pick<Prisma.TransactionClient, '$executeRawUnsafe'>,
  mail: MailRequest,
): Promise<void> {
  const [text, values] = insertMail(mail);
  await tx.$executeRawUnsafe(text, ...values);
}
