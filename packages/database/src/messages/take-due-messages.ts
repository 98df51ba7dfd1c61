import type pg from 'pg';
import { runStatement } from '../sql-error.ts';
import type { ClaimedMessage } from './claim-messages.ts';
import { DISPATCH_ROW_COLUMNS } from './dispatch-row-columns.ts';

/** A row that the sweeper owes a look. */
export interface DueMessage extends Omit<ClaimedMessage, 'media' | 'isSuppressed'> {
  startedAt: Date | null;
  /** It was scheduled or tried before: only the sweeper brings it, for it has no other hint. */
  isPostponed: boolean;
}

// Pushing `due_at` on keeps other sweepers off the row while this one works on it, and brings it
// back should this one die. A worker's own lease is not read from here but kept by its own clock.
const SQL = `
WITH due AS (
  SELECT id FROM messages
  WHERE due_at <= now()
    AND (due_at <= now() - $2::int * interval '1 millisecond'
      OR dispatch <> 'ready' OR attempt > 0 OR scheduled_at IS NOT NULL)
  ORDER BY due_at LIMIT $1::int
  FOR UPDATE SKIP LOCKED
),
taken AS (
  UPDATE messages m SET due_at = now() + $3::int * interval '1 millisecond'
  FROM due WHERE m.id = due.id
  RETURNING m.*
)
SELECT ${DISPATCH_ROW_COLUMNS}, m."to", m.body, m.started_at AS "startedAt",
  (m.attempt > 0 OR m.scheduled_at IS NOT NULL) AS "isPostponed",
  CASE WHEN p.type IS NULL THEN NULL ELSE json_build_object(
    'type', p.type, 'accountSid', p.account_sid,
    'authTokenEncrypted', p.auth_token_encrypted,
    'messagingServiceSid', p.messaging_service_sid,
    'onUnknown', p.on_unknown,
    'isRefused', p.refused_since IS NOT NULL,
    'isFailing', p.failing_since IS NOT NULL,
    'isVerified', COALESCE(p.verified_credentials = p.auth_token_encrypted, false)) END AS provider
FROM taken m LEFT JOIN provider_configurations p ON p.workspace_id = m.workspace_id`;

export interface TakeDueOptions {
  limit: number;
  /**
   * How much longer a new row is left alone: its hint may just be waiting in a long queue. Rows
   * that were scheduled or tried before have no hint but the sweeper's.
   */
  readyGraceMs: number;
  /** For how long the rows are this sweeper's. */
  holdMs: number;
}

export async function takeDueMessages(
  pool: pg.Pool,
  options: TakeDueOptions,
): Promise<DueMessage[]> {
  return runStatement<DueMessage>(pool, SQL, [options.limit, options.readyGraceMs, options.holdMs]);
}

/** Pages through every row that waits to be sent, by id: for hints that were lost all at once. */
export async function listReadyMessages(
  pool: pg.Pool,
  afterId: string | null,
  limit: number,
): Promise<{ messageId: string; workspaceId: string; requestId: string | null }[]> {
  return runStatement(
    pool,
    `SELECT id AS "messageId", workspace_id AS "workspaceId", request_id AS "requestId"
     FROM messages
     WHERE due_at IS NOT NULL AND dispatch = 'ready' AND id > $1::uuid
       AND (not_before IS NULL OR not_before <= now())
     ORDER BY id LIMIT $2::int`,
    [afterId ?? '00000000-0000-0000-0000-000000000000', limit],
  );
}
