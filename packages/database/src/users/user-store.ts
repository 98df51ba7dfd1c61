import { enqueueMail } from '../mails/enqueue-mail.ts';
import { endOtherSessions } from './end-other-sessions.ts';
import { type AccountDatabase, changeAccount } from './account-changes.ts';

export interface User {
  id: string;
  email: string;
  name: string;
}

/** The state of a user's address. */
export interface EmailState {
  isConfirmed: boolean;
  /** The address that replaces the present one when it is confirmed. */
  pending: string | null;
  hasPassword: boolean;
}

export interface NewUser extends User {
  passwordHash: string | null;
  createdAt: Date;
}

/** People who sign in. The caller reads email addresses with `readEmailAddress`. */
export interface UserStore {
  create(
    user: NewUser,
    options: { onlyTheFirst: boolean; confirmsByMail?: boolean },
  ): Promise<User | 'email_taken' | 'not_the_first'>;
  /** Deletes a user whose sign-up was refused after the creation, unless they have signed in since. */
  undoCreation(id: string): Promise<void>;
  /** `passwordHash` is null for a user who signs in by single sign-on only. */
  findByEmail(email: string): Promise<(User & { passwordHash: string | null }) | null>;
  find(id: string): Promise<(User & { passwordHash: string | null }) | null>;
  exists(): Promise<boolean>;
  readEmailState(id: string): Promise<EmailState>;
  /**
   * Changes the password. Ends all sessions of the user except one, and returns their ids. Links in mails and a pending change
   * of the address become void.
   * `changed_meanwhile`: `oldHash` is no longer the hash of the password.
   */
  changePassword(change: {
    userId: string;
    oldHash: string;
    newHash: string;
    keepSessionId: string;
    /** The client's address, for the audit trail. */
    ip: string;
  }): Promise<{ endedSessionIds: string[] } | 'changed_meanwhile'>;
}

const PUBLIC = { id: true, email: true, name: true } as const;
const WITH_HASH = { ...PUBLIC, passwordHash: true } as const;

export function createUserStore(database: AccountDatabase): UserStore {
  const { prisma } = database;
  return {
    create(user, { onlyTheFirst, confirmsByMail = false }) {
      return prisma.$transaction(async (tx) => {
        // The lock serializes concurrent first sign-ups, so that only one of them is the first.
        if (onlyTheFirst) await tx.$executeRaw`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`;
        if (onlyTheFirst && (await tx.user.findFirst({ select: { id: true } })) !== null) {
          return 'not_the_first';
        }
        const [created] = await tx.user.createManyAndReturn({
          data: [user],
          skipDuplicates: true,
          select: PUBLIC,
        });
        if (created === undefined) return 'email_taken';
        if (confirmsByMail) {
          await enqueueMail(tx, { kind: 'email_confirmation', recipient: user.email });
        }
        return created;
      });
    },

    async undoCreation(id) {
      await prisma.user.deleteMany({ where: { id, sessions: { none: {} } } });
    },

    findByEmail: (email) => prisma.user.findUnique({ where: { email }, select: WITH_HASH }),
    find: (id) => prisma.user.findUnique({ where: { id }, select: WITH_HASH }),
    exists: async () => (await prisma.user.findFirst({ select: { id: true } })) !== null,

    async readEmailState(id) {
      const { emailConfirmedAt, pendingEmail, passwordHash } = await prisma.user.findUniqueOrThrow({
        where: { id },
        select: { emailConfirmedAt: true, pendingEmail: true, passwordHash: true },
      });
      return {
        isConfirmed: emailConfirmedAt !== null,
        pending: pendingEmail,
        hasPassword: passwordHash !== null,
      };
    },

    changePassword({ userId, oldHash, newHash, keepSessionId, ip }) {
      return changeAccount(database, { id: userId }, async (tx, record) => {
        const { count } = await tx.user.updateMany({
          where: { id: userId, passwordHash: oldHash },
          data: { passwordHash: newHash, pendingEmail: null },
        });
        if (count === 0) return 'changed_meanwhile';
        const endedSessionIds = await endOtherSessions(tx, userId, keepSessionId);
        await tx.accountToken.deleteMany({ where: { userId } });
        await record(userId, 'member.password_changed', { ip });
        return { endedSessionIds };
      });
    },
  };
}
