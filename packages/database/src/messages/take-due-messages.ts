import type { DispatchState } from '@switchboard/core';
import type pg from 'pg';
import { runStatement } from '../sql-error.ts';
import type { ClaimedMessage } from './claim-messages.ts';
import { DISPATCH_ROW_COLUMNS } from './dispatch-row-columns.ts';

/** A row whose time has come. */
export interface DueMessage extends Omit<ClaimedMessage, 'media' | 'isSuppressed'> {
  startedAt: Date | null;
  /** It was scheduled or tried before: only the sweeper brings it, for it has no other hint. */
  isPostponed: boolean;
}

/** As in the index `messages_due_idx`: waits for its first attempt, and has a hint in the queue. */
const isNew = (row: string): string =>
  `(${row}.dispatch = 'ready' AND ${row}.attempt = 0 AND ${row}.scheduled_at IS NULL)`;

/** The first due row of the next workspace, found by one step into the index. */
const nextWorkspace = (kind: string, after: string): string => `
  LATERAL (
    SELECT m.workspace_id, m.due_at FROM messages m
    WHERE m.dispatch = ${kind}.dispatch AND ${isNew('m')} = ${kind}.is_new AND m.due_at IS NOT NULL
      AND m.workspace_id > ${after}
    ORDER BY m.workspace_id, m.due_at LIMIT 1
  ) f`;

const FIRST_UUID = `'00000000-0000-0000-0000-000000000000'::uuid`;

// Walks through the workspaces that have rows of each kind, one index step each, and takes of every
// workspace with due rows an equal share: a backlog costs nothing but its own share. Rows of a paused
// account, or of a workspace without room, are not read at all.
//
// Pushing `due_at` on keeps other sweepers off the row while this one works on it, and brings it
// back should this one die. A worker's own lease is not read from here but kept by its own clock.
const SQL = `
WITH RECURSIVE kinds AS (
  SELECT * FROM unnest($1::dispatch_state[], $2::bool[], $3::float8[]) AS k(dispatch, is_new, grace_ms)
),
walk AS (
  SELECT k.*, f.workspace_id, f.due_at FROM kinds k, ${nextWorkspace('k', FIRST_UUID)}
  UNION ALL
  SELECT w.dispatch, w.is_new, w.grace_ms, f.workspace_id, f.due_at
  FROM walk w, ${nextWorkspace('w', 'w.workspace_id')}
),
due AS (
  SELECT w.dispatch, w.is_new, w.workspace_id, now() - w.grace_ms * interval '1 millisecond' AS until,
    GREATEST(1, LEAST(
      COALESCE(r.room, $4::int) / count(*) OVER (PARTITION BY w.workspace_id),
      $5::int / count(*) OVER ())) AS share
  FROM walk w LEFT JOIN provider_configurations p ON p.workspace_id = w.workspace_id
    LEFT JOIN unnest($6::uuid[], $7::int[]) AS r(workspace_id, room) ON r.workspace_id = w.workspace_id
  WHERE w.due_at <= now() - w.grace_ms * interval '1 millisecond'
    AND COALESCE(r.room, $4::int) > 0
    AND (w.dispatch = 'inflight' OR p.refused_since IS NULL)
    AND (w.dispatch <> 'ready' OR p.failing_since IS NULL)
  -- More workspaces than rows to take: another part of them each time.
  ORDER BY random() LIMIT $5::int
),
picked AS (
  SELECT m.id FROM due d, LATERAL (
    SELECT m.id FROM messages m
    WHERE m.dispatch = d.dispatch AND ${isNew('m')} = d.is_new AND m.workspace_id = d.workspace_id
      AND m.due_at <= d.until
    ORDER BY m.due_at LIMIT d.share
    FOR UPDATE SKIP LOCKED
  ) m
),
taken AS (
  UPDATE messages m SET due_at = now() + $8::int * interval '1 millisecond'
  FROM picked WHERE m.id = picked.id
  RETURNING m.*
)
SELECT ${DISPATCH_ROW_COLUMNS}, m."to", m.body, m.started_at AS "startedAt",
  (m.attempt > 0 OR m.scheduled_at IS NOT NULL) AS "isPostponed",
  CASE WHEN p.type IS NULL THEN NULL ELSE json_build_object(
    'type', p.type, 'account', p.account_sid,
    'sealedSecret', p.auth_token_encrypted,
    'senderPool', p.messaging_service_sid,
    'onUnknown', p.on_unknown,
    'isRefused', p.refused_since IS NOT NULL,
    'isFailing', p.failing_since IS NOT NULL,
    'isVerified', COALESCE(p.verified_credentials = p.auth_token_encrypted, false)) END AS provider
FROM taken m LEFT JOIN provider_configurations p ON p.workspace_id = m.workspace_id`;

/** Rows of one state; of those that are ready either the new ones or those postponed. */
export interface DueKind {
  dispatch: Extract<DispatchState, 'ready' | 'inflight' | 'unknown' | 'accepted'>;
  isNew: boolean;
  /** How much longer than until they are due they are left alone. */
  graceMs: number;
}

export interface TakeDueOptions {
  kinds: readonly DueKind[];
  /** Rows in all; the workspaces that have some due share it equally. */
  limit: number;
  /** Rows that each workspace takes, by its id; any other takes `roomOfOthers`. */
  room: ReadonlyMap<string, number>;
  roomOfOthers: number;
  /** For how long the rows are this sweeper's. */
  holdMs: number;
}

export async function takeDueMessages(
  pool: pg.Pool,
  { kinds, limit, room, roomOfOthers, holdMs }: TakeDueOptions,
): Promise<DueMessage[]> {
  return runStatement<DueMessage>(pool, SQL, [
    kinds.map(({ dispatch }) => dispatch),
    kinds.map((kind) => kind.isNew),
    kinds.map(({ graceMs }) => graceMs),
    roomOfOthers,
    limit,
    [...room.keys()],
    [...room.values()],
    holdMs,
  ]);
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
