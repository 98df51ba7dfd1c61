import { createBatch } from '@switchboard/core';
import type { Database } from '../database.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';
import { runStatement } from '../sql-error.ts';
import type { User } from '../users/user-store.ts';
import { endOtherSessions } from './end-other-sessions.ts';

export interface ActiveSession {
  id: string;
  expiresAt: Date;
  user: User;
}

export interface StoredSession {
  id: string;
  createdAt: Date;
  /** To the minute. */
  lastSeenAt: Date;
  expiresAt: Date;
  userAgent: string | null;
}

export interface SessionStore {
  /**
   * False when `passwordHash` is given and no longer the user's: a login with the old password
   * must not outlive its change.
   */
  create(session: {
    id: string;
    userId: string;
    tokenHash: Buffer;
    createdAt: Date;
    expiresAt: Date;
    passwordHash?: string;
    userAgent?: string | null;
  }): Promise<boolean>;
  /** Null when unknown, ended, past its end, or idle for too long. Notes the use, at most once a minute. */
  findActive(tokenHash: Buffer): Promise<ActiveSession | null>;
  /** Newest first, only those that have not ended. */
  list(userId: string, page: PageRequest): Promise<Page<StoredSession>>;
  /** False when the user has no such session. */
  end(userId: string, id: string): Promise<boolean>;
  /** Ends all sessions of the user but one, and returns their ids. */
  endOthers(userId: string, keepId: string): Promise<string[]>;
  /** Forgets sessions that are past their end or idle for too long; returns how many. */
  deleteExpired(limit: number): Promise<number>;
}

/** Without a request for so long, a session is over. */
export const IDLE_DAYS = 7;

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
  userId: string;
  email: string;
  name: string;
}

export function createSessionStore({ prisma, pool }: Database): SessionStore {
  // Look-ups of one moment share a query; nothing is cached, so an ended session ends at once.
  const findActive = createBatch<Buffer, ActiveSession | null>({
    maxSize: 500,
    concurrency: 4,
    maxWaiting: 10_000,
    async run(hashes) {
      const rows = await runStatement<SessionRow>(
        pool,
        `WITH found AS (
           SELECT s.token_hash, s.id, s.expires_at, s.user_id, u.email, u.name, s.last_seen_at
           FROM sessions s JOIN users u ON u.id = s.user_id
           WHERE s.token_hash = ANY($1::bytea[]) AND s.expires_at > now()
             AND s.last_seen_at > now() - interval '${IDLE_DAYS} days'
         ), seen AS (
           -- A row that another statement is writing is left to it: nobody waits for each other.
           UPDATE sessions SET last_seen_at = now() WHERE id IN (
             SELECT s.id FROM sessions s JOIN found USING (id)
             WHERE s.last_seen_at < now() - interval '1 minute' FOR UPDATE OF s SKIP LOCKED)
         )
         SELECT token_hash AS "tokenHash", id, expires_at AS "expiresAt", user_id AS "userId",
           email, name FROM found`,
        [hashes],
      );
      const byHash = new Map(rows.map((row) => [row.tokenHash.toString('hex'), row]));
      return hashes.map((hash) => {
        const row = byHash.get(hash.toString('hex'));
        if (row === undefined) return null;
        const user = { id: row.userId, email: row.email, name: row.name };
        return { id: row.id, expiresAt: row.expiresAt, user };
      });
    },
  });

  return {
    async create({ id, userId, tokenHash, createdAt, expiresAt, passwordHash, userAgent }) {
      // The lock waits for a change of the password under way, and makes a later one wait.
      const rows = await runStatement(
        pool,
        `WITH owner AS (
           SELECT id FROM users
           WHERE id = $2::uuid AND ($6::text IS NULL OR password_hash = $6) FOR SHARE
         )
         INSERT INTO sessions
           (id, user_id, token_hash, created_at, last_seen_at, expires_at, user_agent)
         SELECT $1::uuid, owner.id, $3::bytea, $4::timestamptz, $4::timestamptz, $5::timestamptz,
           $7::text
         FROM owner RETURNING 1`,
        [id, userId, tokenHash, createdAt, expiresAt, passwordHash ?? null, userAgent ?? null],
      );
      return rows.length === 1;
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
