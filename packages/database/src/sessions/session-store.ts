import { createBatch } from '@switchboard/core';
import type { Database } from '../database.ts';
import { runStatement } from '../sql-error.ts';
import type { User } from '../users/user-store.ts';

export interface ActiveSession {
  id: string;
  expiresAt: Date;
  user: User;
}

export interface SessionStore {
  create(session: {
    id: string;
    userId: string;
    tokenHash: Buffer;
    createdAt: Date;
    expiresAt: Date;
  }): Promise<void>;
  /** Null when unknown, ended, past its end, or idle for too long. Notes the use, at most once a minute. */
  findActive(tokenHash: Buffer): Promise<ActiveSession | null>;
  end(id: string): Promise<void>;
  /** Forgets sessions that are past their end or idle for too long; returns how many. */
  deleteExpired(limit: number): Promise<number>;
}

/** Without a request for so long, a session is over. */
export const IDLE_DAYS = 7;

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
           UPDATE sessions SET last_seen_at = now()
           FROM found WHERE sessions.id = found.id
             AND found.last_seen_at < now() - interval '1 minute'
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
    async create(session) {
      await prisma.session.create({
        data: { ...session, tokenHash: new Uint8Array(session.tokenHash), lastSeenAt: session.createdAt },
      });
    },
    findActive,
    async end(id) {
      await prisma.session.deleteMany({ where: { id } });
    },

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
