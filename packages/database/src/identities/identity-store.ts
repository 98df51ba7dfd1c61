import { Prisma } from '../generated/client.ts';
import { enqueueMail } from '../mails/enqueue-mail.ts';
import { type AccountDatabase, changeAccount } from '../users/account-changes.ts';
import type { NewUser, User } from '../users/user-store.ts';

/** A user at an identity provider. */
export interface Identity {
  issuer: string;
  subject: string;
  /** The address there; null if the provider does not name one. */
  email: string | null;
}

export interface ConnectedIdentity {
  email: string | null;
  connectedAt: Date;
}

/** Which users at an identity provider are which of our users. */
export interface IdentityStore {
  /**
   * Finds the user of an identity and records the sign-in. Where the user has no password, a new verified address at the
   * provider becomes the user's, unless another user has it.
   */
  signIn(
    identity: Identity,
    change: { verifiedEmail: string | null; ip: string },
  ): Promise<User | null>;
  /** Returns how a user with this address could be connected; null if there is none. */
  findByEmail(
    email: string,
    issuer: string,
  ): Promise<(User & { isConfirmed: boolean; isConnected: boolean }) | null>;
  /** Creates a user without a password. */
  create(
    user: Omit<NewUser, 'passwordHash'>,
    identity: Identity,
    options: { onlyTheFirst: boolean },
  ): Promise<User | 'taken' | 'not_the_first'>;
  /**
   * Connects an identity. `confirms`: the provider has verified that the user's address is theirs. `takeOver`: the person who created
   * the user has not proved that, so the password, all sessions and all links end. `sessionId`: the session that asked for it.
   *
   * Returns `has_factor` if the user has a second factor, which the identity would go round, unless `ignoresFactor`. Returns
   * `session_ended` if the session has ended since.
   */
  connect(
    userId: string,
    identity: Identity,
    options: {
      ip: string;
      confirms: boolean;
      takeOver: boolean;
      ignoresFactor: boolean;
      sessionId: string | null;
    },
  ): Promise<{ endedSessionIds: string[] } | 'taken' | 'has_factor' | 'session_ended'>;
  find(userId: string): Promise<ConnectedIdentity | null>;
  /**
   * Disconnects the identities, and ends the sessions that began with them, except that of the caller. Returns null if the user
   * has no identity, or no password to sign in with.
   */
  disconnect(
    userId: string,
    by: { ip: string; sessionId: string } | 'operator',
  ): Promise<{ endedSessionIds: string[] } | null>;
}

const PUBLIC = { id: true, email: true, name: true } as const;

export function createIdentityStore(database: AccountDatabase): IdentityStore {
  const { prisma } = database;
  return {
    signIn({ issuer, subject, email }, { verifiedEmail, ip }) {
      return changeAccount(
        database,
        { identities: { some: { issuer, subject } } },
        async (tx, record) => {
          const [found] = await tx.$queryRaw<(User & { hasPassword: boolean })[]>`
          UPDATE user_identities i SET last_sign_in_at = now(), email = ${email}
          FROM users u WHERE i.issuer = ${issuer} AND i.subject = ${subject} AND u.id = i.user_id
          RETURNING u.id, u.email, u.name, u.password_hash IS NOT NULL AS "hasPassword"`;
          if (found === undefined) return null;
          const { hasPassword, ...user } = found;
          if (hasPassword || verifiedEmail === null || verifiedEmail === user.email) return user;
          const changed = await tx.$executeRaw`
          UPDATE users SET email = ${verifiedEmail}, email_confirmed_at = now(), pending_email = NULL
          WHERE id = ${user.id}::uuid AND NOT EXISTS (SELECT 1 FROM users WHERE email = ${verifiedEmail})`;
          if (changed === 0) return user;
          // Links to the old mailbox must not work any more.
          await tx.accountToken.deleteMany({ where: { userId: user.id } });
          await enqueueMail(tx, {
            kind: 'email_change_notice',
            recipient: user.email,
            userId: user.id,
          });
          const detail = { from: user.email, to: verifiedEmail, by: 'single_sign_on' };
          await record(user.id, 'member.email_changed', { ip }, detail);
          return { ...user, email: verifiedEmail };
        },
      );
    },

    async findByEmail(email, issuer) {
      const found = await prisma.user.findUnique({
        where: { email },
        select: { ...PUBLIC, emailConfirmedAt: true, identities: { where: { issuer } } },
      });
      if (found === null) return null;
      const { emailConfirmedAt, identities, ...user } = found;
      return {
        ...user,
        isConfirmed: emailConfirmedAt !== null,
        isConnected: identities.length > 0,
      };
    },

    async create(user, identity, { onlyTheFirst }) {
      return orTaken(() =>
        prisma.$transaction(async (tx) => {
          // The lock serializes concurrent first sign-ups, so that only one of them is the first.
          if (onlyTheFirst) await tx.$executeRaw`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`;
          if (onlyTheFirst && (await tx.user.findFirst({ select: { id: true } })) !== null) {
            return 'not_the_first';
          }
          return tx.user.create({
            data: {
              ...user,
              emailConfirmedAt: user.createdAt,
              identities: { create: identity },
            },
            select: PUBLIC,
          });
        }),
      );
    },

    connect(userId, identity, { ip, confirms, takeOver, ignoresFactor, sessionId }) {
      return orTaken(() =>
        changeAccount(database, { id: userId }, async (tx, record) => {
          // Waits for a concurrent change of the user.
          await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
          if (sessionId !== null) {
            const session = { id: sessionId, userId, expiresAt: { gt: new Date() } };
            if ((await tx.session.count({ where: session })) === 0) return 'session_ended';
          }
          const factor = { userId, confirmedAt: { not: null } };
          if (!ignoresFactor && (await tx.secondFactor.count({ where: factor })) > 0)
            return 'has_factor';
          await tx.userIdentity.create({ data: { ...identity, userId } });
          if (confirms) {
            const unconfirmed = { id: userId, emailConfirmedAt: null };
            await tx.user.updateMany({
              where: unconfirmed,
              data: { emailConfirmedAt: new Date() },
            });
          }
          const ended = takeOver ? await endOtherAccess(tx, userId) : [];
          await notify(tx, userId, 'identity_connected');
          const detail = {
            issuer: identity.issuer,
            email: identity.email,
            ...(takeOver && { password_removed: true, sessions_ended: ended.length }),
          };
          await record(userId, 'member.identity_connected', { ip }, detail);
          return { endedSessionIds: ended };
        }),
      );
    },

    async find(userId) {
      const found = await prisma.userIdentity.findFirst({
        where: { userId },
        select: { email: true, createdAt: true },
        orderBy: { lastSignInAt: 'desc' },
      });
      return found === null ? null : { email: found.email, connectedAt: found.createdAt };
    },

    disconnect(userId, by) {
      return changeAccount(database, { id: userId }, async (tx, record) => {
        const { count } = await tx.userIdentity.deleteMany({
          where: by === 'operator' ? { userId } : { userId, user: { passwordHash: { not: null } } },
        });
        if (count === 0) return null;
        const kept = by === 'operator' ? null : by.sessionId;
        const ended = await tx.$queryRaw<{ id: string }[]>`
          DELETE FROM sessions WHERE user_id = ${userId}::uuid AND sign_in_method = 'single_sign_on'
            AND id IS DISTINCT FROM ${kept}::uuid RETURNING id`;
        await notify(tx, userId, 'identity_disconnected');
        await record(userId, 'member.identity_disconnected', by);
        return { endedSessionIds: ended.map(({ id }) => id) };
      });
    },
  };
}

/** Without a mail server, the request for the mail expires. */
async function notify(
  tx: Prisma.TransactionClient,
  userId: string,
  kind: 'identity_connected' | 'identity_disconnected',
): Promise<void> {
  const { email } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { email: true },
  });
  await enqueueMail(tx, { kind, recipient: email, userId });
}

/** Removes all that the person who created the user could sign in with; returns the sessions that end. */
async function endOtherAccess(tx: Prisma.TransactionClient, userId: string): Promise<string[]> {
  await tx.user.update({
    where: { id: userId },
    data: { passwordHash: null, pendingEmail: null },
  });
  await tx.accountToken.deleteMany({ where: { userId } });
  await tx.secondFactor.deleteMany({ where: { userId } });
  const ended = await tx.$queryRaw<{ id: string }[]>`
    DELETE FROM sessions WHERE user_id = ${userId}::uuid RETURNING id`;
  return ended.map(({ id }) => id);
}

/** `taken`: a unique index refuses the row, because the address or the identity has just got a user. */
async function orTaken<Result>(work: () => Promise<Result>): Promise<Result | 'taken'> {
  try {
    return await work();
  } catch (error) {
    const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
    if (isTaken) return 'taken';
    throw error;
  }
}
