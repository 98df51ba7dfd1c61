import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';
import { type MailRequest, insertMail } from './enqueue-mail.ts';
import { type DueMail, type OpenedMail, openMail } from './open-mail.ts';

/** The mails that workers have to send. */
export interface MailStore {
  enqueue(mail: MailRequest): Promise<void>;
  /** Takes due mails. Until `leaseMs` ends, no other worker takes them. */
  takeDue(limit: number, leaseMs: number): Promise<DueMail[]>;
  /**
   * Reads what a mail says now, and stores the hash of its token, which replaces the tokens of earlier mails. Returns null if
   * there is nothing to send, because no user has the address or the invitation was withdrawn.
   */
  open(mail: DueMail, tokenHash: Buffer): Promise<OpenedMail | null>;
  /** Deletes a mail, unless it was requested again since it was taken. */
  remove(mail: DueMail): Promise<void>;
  /**
   * Sets the next attempt, unless the mail was requested again since it was taken. Without the reason of a failure, the
   * mail has not been tried: it waits for a limit.
   */
  postpone(mail: DueMail, delayMs: number, reason: string | null): Promise<void>;
  /** Deletes mails that could not be sent in time, and returns their number. */
  deleteExpired(limit: number): Promise<number>;
  /** Counts mails that have failed, with the latest reason. */
  countFailing(): Promise<{ count: number; reason: string | null }>;
}

export function createMailStore({ pool }: Pick<Database, 'pool'>): MailStore {
  return {
    async enqueue(mail) {
      await runStatement(pool, ...insertMail(mail));
    },

    takeDue: (limit, leaseMs) =>
      runStatement<DueMail>(
        pool,
        `UPDATE mails SET attempts = attempts + 1,
           next_attempt_at = now() + $2::float8 * interval '1 millisecond'
         WHERE key = ANY(ARRAY(
           SELECT key FROM mails WHERE next_attempt_at <= now() AND expires_at > now()
           ORDER BY next_attempt_at LIMIT $1::int FOR UPDATE SKIP LOCKED))
         RETURNING key, kind, recipient, user_id AS "userId", workspace_id AS "workspaceId", version,
           attempts`,
        [limit, leaseMs],
      ),

    open: (mail, tokenHash) => openMail(pool, mail, tokenHash),

    async remove({ key, version }) {
      await runStatement(pool, 'DELETE FROM mails WHERE key = $1 AND version = $2', [key, version]);
    },

    async postpone({ key, version }, delayMs, reason) {
      await runStatement(
        pool,
        ...named(
          `UPDATE mails SET next_attempt_at = now() + :delayMs::float8 * interval '1 millisecond',
             last_error = COALESCE(:reason, last_error),
             attempts = attempts - CASE WHEN :reason IS NULL THEN 1 ELSE 0 END
           WHERE key = :key AND version = :version`,
          { key, version, delayMs, reason },
        ),
      );
    },

    async deleteExpired(limit) {
      const rows = await runStatement(
        pool,
        `DELETE FROM mails WHERE key = ANY(ARRAY(
           SELECT key FROM mails WHERE expires_at < now() LIMIT $1::int FOR UPDATE SKIP LOCKED))
         RETURNING 1`,
        [limit],
      );
      return rows.length;
    },

    async countFailing() {
      const [found] = await runStatement<{ count: number; reason: string | null }>(
        pool,
        `SELECT count(*)::int AS count,
           (array_agg(last_error ORDER BY next_attempt_at DESC))[1] AS reason
         FROM mails WHERE last_error IS NOT NULL`,
        [],
      );
      return found ?? { count: 0, reason: null };
    },
  };
}
