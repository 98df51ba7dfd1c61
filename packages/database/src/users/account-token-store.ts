import { Prisma } from '../generated/client.ts';
import { enqueueMail } from '../mails/enqueue-mail.ts';
import { type AccountDatabase, changeAccount, withToken } from './account-changes.ts';
import { putOperatorLink } from './put-operator-link.ts';

/** The links by which users get back in and confirm addresses. A link works once, and only the newest one. */
export interface AccountTokenStore {
  /** Returns whether the token would reset a password now. */
  findReset(tokenHash: Buffer): Promise<boolean>;
  /**
   * Sets the password of the token's user, and ends all sessions, whose ids it returns. All other links and a pending change of
   * the address become void. Returns null for an unknown, used, expired or replaced token.
   */
  resetPassword(reset: {
    tokenHash: Buffer;
    passwordHash: string;
    /** The client's address, for the audit trail. */
    ip: string;
  }): Promise<{ endedSessionIds: string[] } | null>;
  /**
   * Stores the address that replaces the present one when it is confirmed, and requests the mails to both. Returns false if
   * `passwordHash` is no longer the user's.
   */
  requestEmailChange(change: {
    userId: string;
    email: string;
    passwordHash: string;
    ip: string;
  }): Promise<boolean>;
  /** Confirms the address of a user, or completes a change. `taken`: the address now belongs to another user. */
  confirmEmail(tokenHash: Buffer, ip: string): Promise<'confirmed' | 'unknown' | 'taken'>;
  /** Stores a link for an hour that an operator hands to the user. Returns false if no user has the address. */
  putResetByOperator(email: string, tokenHash: Buffer): Promise<boolean>;
}

interface Found {
  userId: string;
  email: string;
}

export function createAccountTokenStore(database: AccountDatabase): AccountTokenStore {
  return {
    async findReset(tokenHash) {
      const found = await database.prisma.accountToken.findFirst({
        where: {
          tokenHash: new Uint8Array(tokenHash),
          purpose: 'password_reset',
          expiresAt: { gt: new Date() },
        },
        select: { email: true, user: { select: { email: true } } },
      });
      return found !== null && found.email === found.user.email;
    },

    resetPassword({ tokenHash, passwordHash, ip }) {
      return changeAccount(database, withToken(tokenHash), async (tx, record) => {
        // The deletion makes a concurrent request with the same token wait, and then find nothing.
        const [found] = await tx.$queryRaw<
          (Found & { isMailed: boolean; wasConfirmed: boolean })[]
        >`
          DELETE FROM account_tokens t USING users u
          WHERE t.token_hash = ${new Uint8Array(tokenHash)} AND t.purpose = 'password_reset'
            AND t.expires_at > now() AND u.id = t.user_id AND u.email = t.email
          RETURNING t.user_id AS "userId", t.email, t.is_mailed AS "isMailed",
            u.email_confirmed_at IS NOT NULL AS "wasConfirmed"`;
        if (found === undefined) return null;
        const { userId, isMailed, wasConfirmed } = found;
        await tx.$executeRaw`
          UPDATE users SET password_hash = ${passwordHash}, pending_email = NULL,
            email_confirmed_at = CASE WHEN ${isMailed} THEN COALESCE(email_confirmed_at, now())
              ELSE email_confirmed_at END
          WHERE id = ${userId}::uuid`;
        await tx.accountToken.deleteMany({ where: { userId } });
        // The person who connected it may be the one whom the new password shuts out.
        await tx.userIdentity.deleteMany({ where: { userId } });
        // A factor that was set up before any proof of the address must not lock its owner out.
        if (isMailed && !wasConfirmed) await tx.secondFactor.deleteMany({ where: { userId } });
        const ended = await tx.$queryRaw<{ id: string }[]>`
          DELETE FROM sessions WHERE user_id = ${userId}::uuid RETURNING id`;
        const detail = { link: isMailed ? 'mail' : 'operator' };
        await record(userId, 'member.password_reset', { ip }, detail);
        return { endedSessionIds: ended.map(({ id }) => id) };
      });
    },

    requestEmailChange({ userId, email, passwordHash, ip }) {
      return changeAccount(database, { id: userId }, async (tx, record) => {
        const [user] = await tx.$queryRaw<{ email: string; passwordHash: string | null }[]>`
          SELECT email, password_hash AS "passwordHash" FROM users
          WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
        if (user === undefined || user.passwordHash !== passwordHash) return false;
        // The token of an earlier change must not confirm another address.
        await tx.accountToken.deleteMany({ where: { userId, purpose: 'email' } });
        if (email === user.email) {
          await tx.user.update({ where: { id: userId }, data: { pendingEmail: null } });
          return true;
        }
        await tx.user.update({ where: { id: userId }, data: { pendingEmail: email } });
        await enqueueMail(tx, { kind: 'email_change', recipient: email, userId });
        await enqueueMail(tx, { kind: 'email_change_notice', recipient: user.email, userId });
        const detail = { from: user.email, to: email };
        await record(userId, 'member.email_change_requested', { ip }, detail);
        return true;
      });
    },

    async confirmEmail(tokenHash, ip) {
      try {
        return await changeAccount(database, withToken(tokenHash), async (tx, record) => {
          const [found] = await tx.$queryRaw<(Found & { current: string })[]>`
            DELETE FROM account_tokens t USING users u
            WHERE t.token_hash = ${new Uint8Array(tokenHash)} AND t.purpose = 'email'
              AND t.expires_at > now() AND u.id = t.user_id AND t.email IN (u.email, u.pending_email)
            RETURNING t.user_id AS "userId", t.email, u.email AS current`;
          if (found === undefined) return 'unknown';
          const { userId, email, current } = found;
          await tx.user.update({
            where: { id: userId },
            data: { email, emailConfirmedAt: new Date(), pendingEmail: null },
          });
          if (email === current) return 'confirmed';
          // Links to the old mailbox must not work any more.
          await tx.accountToken.deleteMany({ where: { userId } });
          const detail = { from: current, to: email };
          await record(userId, 'member.email_changed', { ip }, detail);
          return 'confirmed';
        });
      } catch (error) {
        if (isTaken(error)) return 'taken';
        throw error;
      }
    },

    putResetByOperator: (email, tokenHash) =>
      putOperatorLink(database, 'password_reset', { email, tokenHash }),
  };
}

/** The unique index of addresses refuses the change. */
function isTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}
