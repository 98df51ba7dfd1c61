import { QUOTAS, createBatch } from '@switchboard/core';
import type { Database } from '../database.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';
import { runStatement } from '../run-statement.ts';
import type { User } from '../users/user-store.ts';
import { endOtherSessions } from '../users/end-other-sessions.ts';

/** How the user of a session signed in; `link`: by a link that the operator printed. */
export type SignInMethod = 'password' | 'single_sign_on' | 'link';

export interface ActiveSession {
  id: string;
  expiresAt: Date;
  signInMethod: SignInMethod;
  /** Began in the last ten minutes, so that the user has just entered the password. */
  isFresh: boolean;
  /** Whether memberships that groups of the identity provider gave count: not after a sign-in with a password. */
  usesGroups: boolean;
  /** Whether it may be used where a workspace requires a second factor: its user has one, or used single sign-on. */
  meetsSecondFactor: boolean;
  user: User;
}

export interface StoredSession {
  id: string;
  createdAt: Date;
  /** Accurate to the minute. */
  lastSeenAt: Date;
  expiresAt: Date;
  userAgent: string | null;
}

export interface SessionStore {
  /**
   * Creates a session. Ends the sessions that have been unused the longest if the user exceeds the
   * quota, and returns their ids. Returns null if `passwordHash` is given and is no longer the user's,
   * because a login with the old password must not outlive its change; and then also if the user
   * has a second factor that the login has not passed, because it was turned on in the meantime.
   */
  create(session: {
    id: string;
    userId: string;
    tokenHash: Buffer;
    createdAt: Date;
    expiresAt: Date;
    /** Default: `password`. */
    signInMethod?: SignInMethod;
    passwordHash?: string;
    passedSecondFactor?: boolean;
    userAgent?: string | null;
  }): Promise<{ endedIds: string[] } | null>;
  /**
   * Replaces the token of a session that has just been created, and sets its end. The old token then finds nothing. Returns
   * null for an unknown, used or expired token.
   */
  replaceToken(
    oldHash: Buffer,
    session: { tokenHash: Buffer; expiresAt: Date },
  ): Promise<{ user: User } | null>;
  /**
   * Finds a session. Returns null if it is unknown, ended, expired or idle for too long. Records the
   * use at most once a minute.
   */
  findActive(tokenHash: Buffer): Promise<ActiveSession | null>;
  /** Lists the sessions that have not ended, newest first. */
  list(userId: string, page: PageRequest): Promise<Page<StoredSession>>;
  /** Returns false if the user has no such session. */
  end(userId: string, id: string): Promise<boolean>;
  /** Ends all sessions of the user except one, and returns their ids. */
  endOthers(userId: string, keepId: string): Promise<string[]>;
  /** Deletes sessions that are expired or idle for too long, and returns their number. */
  deleteExpired(limit: number): Promise<number>;
}

/** A session ends after this time without a request. */
export const IDLE_DAYS = 7;
const FRESH_MINUTES = 10;
/**
 * See `ActiveSession.meetsSecondFactor`, for a session `s` and the second factor `f` of its user. The provider of a single
 * sign-on asks for a second factor itself, and the operator who printed a link vouches for the user.
 */
export const MEETS_SECOND_FACTOR =
  "(f.confirmed_at IS NOT NULL OR s.sign_in_method IN ('single_sign_on', 'link'))";

/** Whether memberships that groups of the identity provider gave count in a session `s`: the provider reports the groups at a sign-in. */
export const USES_GROUPS = "s.sign_in_method IN ('single_sign_on', 'link')";

const SHOWN = {
  id: true,
  createdAt: true,
  lastSeenAt: true,
  expiresAt: true,
  userAgent: true,
} as const;

interface SessionRow {
  tokenHash: Buffer;
  id: string;
  expiresAt: Date;
  signInMethod: SignInMethod;
  isFresh: boolean;
  meetsSecondFactor: boolean;
  usesGroups: boolean;
  userId: string;
  email: string;
  name: string;
}

export function createSessionStore({ prisma, pool }: Database): SessionStore {
  // Concurrent lookups share a query. Nothing is cached, so an ended session ends immediately.
  const findActive = createBatch<Buffer, ActiveSession | null>({
    maxSize: 500,
    concurrency: 4,
    maxWaiting: 10_000,
    async run(hashes) {
      const rows = await runStatement<SessionRow>(
        pool,
        `WITH found AS (
           SELECT s.token_hash, s.id, s.expires_at, s.sign_in_method, s.user_id, u.email, u.name, s.last_seen_at,
             s.created_at > now() - interval '${FRESH_MINUTES} minutes' AS is_fresh,
             ${MEETS_SECOND_FACTOR} AS meets_second_factor, ${USES_GROUPS} AS uses_groups
           FROM sessions s JOIN users u ON u.id = s.user_id
             LEFT JOIN second_factors f ON f.user_id = s.user_id
           WHERE s.token_hash = ANY($1::bytea[]) AND s.expires_at > now()
             AND s.last_seen_at > now() - interval '${IDLE_DAYS} days'
         ), seen AS (
           -- Rows that another statement is writing are skipped, so statements never wait for each
           -- other.
           UPDATE sessions SET last_seen_at = now() WHERE id IN (
             SELECT s.id FROM sessions s JOIN found USING (id)
             WHERE s.last_seen_at < now() - interval '1 minute' FOR UPDATE OF s SKIP LOCKED)
         )
         SELECT token_hash AS "tokenHash", id, expires_at AS "expiresAt", is_fresh AS "isFresh",
           meets_second_factor AS "meetsSecondFactor", uses_groups AS "usesGroups", sign_in_method AS "signInMethod",
           user_id AS "userId", email, name FROM found`,
        [hashes],
      );
      const byHash = new Map(rows.map((row) => [row.tokenHash.toString('hex'), row]));
      return hashes.map((hash) => {
        const row = byHash.get(hash.toString('hex'));
        if (row === undefined) return null;
        const { tokenHash: _tokenHash, userId, email, name, ...session } = row;
        return { ...session, user: { id: userId, email, name } };
      });
    },
  });

  return {
    create({ passwordHash, passedSecondFactor = false, ...session }) {
      return prisma.$transaction(async (tx) => {
        const { userId } = session;
        // Waits for a concurrent change of the password, and makes a later one wait. Logins of one user
        // run one after another, so that each one counts the others.
        const [owner] = await tx.$queryRaw<{ passwordHash: string | null }[]>`
          SELECT password_hash AS "passwordHash" FROM users
          WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
        if (owner === undefined) return null;
        if (passwordHash !== undefined && passwordHash !== owner.passwordHash) return null;
        if (passwordHash !== undefined && !passedSecondFactor) {
          const where = { userId, confirmedAt: { not: null } };
          if ((await tx.secondFactor.count({ where })) > 0) return null;
        }
        const tokenHash = new Uint8Array(session.tokenHash);
        await tx.session.create({
          data: { ...session, tokenHash, lastSeenAt: session.createdAt },
        });
        const ended = await tx.$queryRaw<{ id: string }[]>`
          DELETE FROM sessions WHERE id IN (
            SELECT id FROM sessions WHERE user_id = ${userId}::uuid AND id <> ${session.id}::uuid
            ORDER BY last_seen_at DESC, id DESC OFFSET ${QUOTAS.sessionsPerUser - 1})
          RETURNING id`;
        return { endedIds: ended.map((each) => each.id) };
      });
    },
    async replaceToken(oldHash, { tokenHash, expiresAt }) {
      // A concurrent request with the same token waits, and then finds nothing.
      const [user] = await runStatement<User>(
        pool,
        `UPDATE sessions s SET token_hash = $2, expires_at = $3
         FROM users u WHERE s.token_hash = $1 AND s.expires_at > now() AND u.id = s.user_id
         RETURNING u.id, u.email, u.name`,
        [oldHash, tokenHash, expiresAt],
      );
      return user === undefined ? null : { user };
    },
    findActive,
    list(userId, page) {
      const idleBefore = new Date(Date.now() - IDLE_DAYS * 86_400_000);
      const where = { userId, expiresAt: { gt: new Date() }, lastSeenAt: { gt: idleBefore } };
      return listPage(
        page,
        () => prisma.session.count({ where }),
        (range) =>
          prisma.session.findMany({ ...range, where, select: SHOWN, orderBy: { id: 'desc' } }),
      );
    },
    async end(userId, id) {
      return (await prisma.session.deleteMany({ where: { id, userId } })).count === 1;
    },
    endOthers: (userId, keepId) => endOtherSessions(prisma, userId, keepId),

    async deleteExpired(limit) {
      const rows = await runStatement(
        pool,
        `DELETE FROM sessions WHERE id = ANY(ARRAY(
           SELECT id FROM sessions
           WHERE expires_at < now() OR last_seen_at < now() - interval '${IDLE_DAYS} days'
           LIMIT $1::int FOR UPDATE SKIP LOCKED)) RETURNING 1`,
        [limit],
      );
      return rows.length;
    },
  };
}
