import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { endOtherSessions } from './end-other-sessions.ts';
import { type InviteRefusal, lockInvite, acceptInvite } from '../members/accept-invite.ts';

export interface User {
  id: string;
  email: string;
  name: string;
}

export interface NewUser extends User {
  passwordHash: string;
  createdAt: Date;
}

/** People who sign in. The caller reads email addresses with `readEmailAddress`. */
export interface UserStore {
  create(
    user: NewUser,
    options: { onlyTheFirst: boolean },
  ): Promise<User | 'email_taken' | 'not_the_first'>;
  /** Creates the user with the membership of the invite, and deletes the invite. */
  createInvited(
    user: NewUser,
    inviteTokenHash: Buffer,
  ): Promise<User | 'email_taken' | InviteRefusal>;
  findByEmail(email: string): Promise<(User & { passwordHash: string }) | null>;
  find(id: string): Promise<(User & { passwordHash: string }) | null>;
  exists(): Promise<boolean>;
  /**
   * Changes the password. Ends all sessions of the user except one, and returns their ids.
   * `changed_meanwhile`: `oldHash` is no longer the hash of the password.
   */
  changePassword(change: {
    userId: string;
    oldHash: string;
    newHash: string;
    keepSessionId: string;
  }): Promise<{ endedSessionIds: string[] } | 'changed_meanwhile'>;
}

const PUBLIC = { id: true, email: true, name: true } as const;
const WITH_HASH = { ...PUBLIC, passwordHash: true } as const;

export function createUserStore({ prisma }: Pick<Database, 'prisma'>): UserStore {
  return {
    create(user, { onlyTheFirst }) {
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
        return created ?? 'email_taken';
      });
    },

    createInvited(user, tokenHash) {
      return prisma.$transaction(async (tx) => {
        const invite = await lockInvite(tx, tokenHash);
        if (typeof invite === 'string') return invite;
        const [created] = await tx.user.createManyAndReturn({
          data: [user],
          skipDuplicates: true,
          select: PUBLIC,
        });
        if (created === undefined) return 'email_taken';
        await acceptInvite(tx, invite, user, user.createdAt);
        return created;
      });
    },

    findByEmail: (email) => prisma.user.findUnique({ where: { email }, select: WITH_HASH }),
    find: (id) => prisma.user.findUnique({ where: { id }, select: WITH_HASH }),
    exists: async () => (await prisma.user.findFirst({ select: { id: true } })) !== null,

    changePassword({ userId, oldHash, newHash, keepSessionId }) {
      return prisma.$transaction(async (tx) => {
        const { count } = await tx.user.updateMany({
          where: { id: userId, passwordHash: oldHash },
          data: { passwordHash: newHash },
        });
        if (count === 0) return 'changed_meanwhile';
        const endedSessionIds = await endOtherSessions(tx, userId, keepSessionId);
        const memberships = await tx.member.findMany({
          where: { userId },
          select: { workspaceId: true },
        });
        for (const { workspaceId } of memberships) {
          await recordAudit(
            tx,
            { kind: 'user', userId },
            { workspaceId, action: 'member.password_changed', target: userId },
          );
        }
        return { endedSessionIds };
      });
    },
  };
}
