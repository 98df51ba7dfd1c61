import type pg from 'pg';
import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';

/** The copy of a message at a provider, which is to be removed. */
export interface DueRedaction {
  workspaceId: string;
  erasureId: string;
  messageId: string;
  providerSid: string;
  /** This one included. */
  attempts: number;
  /** Null if the account was removed. The secret is still encrypted. */
  provider: {
    id: string;
    type: string;
    vendorAccountId: string;
    sealedSecret: string;
    senderPool: string | null;
  } | null;
}

/** The provider has removed it; it has not, and will not be asked again; it has no way to remove it. */
export type RedactionResult = 'redacted' | 'failed' | 'unable';

/** The copies at providers that an erasure leaves. They are removed one by one, even after a restart. */
export interface RedactionStore {
  /** Lists the workspaces with copies that are due, in random order. */
  listDueWorkspaces(): Promise<string[]>;
  /**
   * Takes a copy that is due, of none of the accounts `except`. Another worker takes it again after a while that grows
   * with the attempts.
   */
  takeDue(workspaceId: string, except: readonly string[]): Promise<DueRedaction | null>;
  /** Counts the result and deletes the entry. */
  finish(redaction: DueRedaction, result: RedactionResult): Promise<void>;
}

const LIST_WORKSPACES = `
SELECT workspace_id AS "workspaceId" FROM message_redactions WHERE next_attempt_at <= now()
GROUP BY workspace_id ORDER BY random()`;

/** An hour from the 8th attempt on. The power is bounded, because a long interval is out of range. */
const TAKE = `
WITH due AS (
  SELECT workspace_id, erasure_id, message_id FROM message_redactions
  WHERE workspace_id = $1::uuid AND next_attempt_at <= now() AND (provider_id = ANY($2::uuid[])) IS NOT TRUE
  ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
UPDATE message_redactions r SET attempts = r.attempts + 1,
  next_attempt_at = now() + LEAST(interval '30 seconds' * 2 ^ LEAST(r.attempts, 7), interval '1 hour')
FROM due
WHERE r.workspace_id = due.workspace_id AND r.erasure_id = due.erasure_id AND r.message_id = due.message_id
RETURNING r.workspace_id AS "workspaceId", r.erasure_id AS "erasureId", r.message_id AS "messageId",
  r.provider_sid AS "providerSid", r.attempts, (
    SELECT json_build_object('id', a.id, 'type', a.type, 'vendorAccountId', a.vendor_account_id,
      'sealedSecret', a.sealed_secret, 'senderPool', a.sender_pool)
    FROM provider_accounts a WHERE a.workspace_id = r.workspace_id AND a.id = r.provider_id) AS provider`;

// An entry that another worker has finished is counted once.
const FINISH = `
WITH done AS (
  DELETE FROM message_redactions
  WHERE workspace_id = :workspaceId::uuid AND erasure_id = :erasureId::uuid AND message_id = :messageId::uuid
  RETURNING 1
)
UPDATE erasures SET
  redacted = redacted + (:result = 'redacted')::int,
  redact_failed = redact_failed + (:result = 'failed')::int,
  redact_unable = redact_unable + (:result = 'unable')::int
WHERE workspace_id = :workspaceId::uuid AND id = :erasureId::uuid AND EXISTS (SELECT FROM done)`;

export function createRedactionStore({ pool }: Pick<Database, 'pool'>): RedactionStore {
  return {
    async listDueWorkspaces() {
      const rows = await runStatement<{ workspaceId: string }>(pool, LIST_WORKSPACES, []);
      return rows.map(({ workspaceId }) => workspaceId);
    },
    async takeDue(workspaceId, except) {
      const values = [workspaceId, except];
      const [due] = await runStatement<DueRedaction & pg.QueryResultRow>(pool, TAKE, values);
      return due ?? null;
    },
    async finish({ workspaceId, erasureId, messageId }, result) {
      const values = { workspaceId, erasureId, messageId, result };
      await runStatement(pool, ...named(FINISH, values));
    },
  };
}
