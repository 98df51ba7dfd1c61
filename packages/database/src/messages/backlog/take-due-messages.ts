import type { DispatchState } from '@switchboard/core';
import type pg from 'pg';
import { isNew } from './is-new.ts';
import { named } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { MIN_ID } from '../rows/id-range.ts';
import type { ClaimedMessage } from '../claims/claim-messages.ts';
import { JOIN_ACCOUNT, dispatchRowColumns } from '../rows/dispatch-row-columns.ts';

/** A row that is due. */
export interface DueMessage extends Omit<ClaimedMessage, 'media' | 'isSuppressed'> {
  startedAt: Date | null;
  /** The message was scheduled or tried before, so it has no hint and only the sweeper finds it. */
  isPostponed: boolean;
}

/** Finds the first due row of the next workspace with one index lookup. */
const nextWorkspace = (kind: string, after: string): string => `
  LATERAL (
    SELECT m.workspace_id, m.due_at FROM due_messages m
    WHERE m.dispatch = ${kind}.dispatch AND ${isNew('m')} = ${kind}.is_new
      AND m.workspace_id > ${after}
    ORDER BY m.workspace_id, m.due_at LIMIT 1
  ) f`;

const FIRST_UUID = `'${MIN_ID}'::uuid`;

// Walks through the workspaces that have rows of each kind, with one index lookup each, and takes an
// equal share of every workspace with due rows, so a large backlog costs no more than its share. Rows
// of a workspace whose accounts are all paused, or without capacity, are not read at all.
//
// Postponing `due_at` keeps other sweepers away from the row while this one works on it, and makes
// the row due again if this sweeper fails. A worker tracks its lease with its own clock, not with
// `due_at`.
const SQL = `
WITH RECURSIVE kinds AS (
  SELECT * FROM unnest(:states::dispatch_state[], :areNew::bool[], :gracesMs::float8[]) AS k(dispatch, is_new, grace_ms)
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
      COALESCE(r.capacity, :capacityOfOthers::int) / count(*) OVER (PARTITION BY w.workspace_id),
      :limit::int / count(*) OVER ())) AS share
  FROM walk w LEFT JOIN LATERAL (
      SELECT bool_and(refused_since IS NOT NULL) AS "allRefused",
        bool_and(refused_since IS NOT NULL OR NOT enabled OR failing_since IS NOT NULL) AS "allPaused"
      FROM provider_accounts a WHERE a.workspace_id = w.workspace_id
    ) p ON true
    LEFT JOIN unnest(:workspaceIds::uuid[], :capacities::int[]) AS r(workspace_id, capacity) ON r.workspace_id = w.workspace_id
  WHERE w.due_at <= now() - w.grace_ms * interval '1 millisecond'
    AND COALESCE(r.capacity, :capacityOfOthers::int) > 0
    AND (w.dispatch = 'inflight' OR p."allRefused" IS NOT TRUE)
    AND (w.dispatch <> 'ready' OR p."allPaused" IS NOT TRUE)
  -- If there are more workspaces than rows to take, each call takes a different part of them.
  ORDER BY random() LIMIT :limit::int
),
picked AS (
  SELECT d.workspace_id, m.id FROM due d, LATERAL (
    SELECT m.id FROM due_messages m
    WHERE m.dispatch = d.dispatch AND ${isNew('m')} = d.is_new AND m.workspace_id = d.workspace_id
      AND m.due_at <= d.until
    ORDER BY m.due_at LIMIT d.share
    FOR UPDATE SKIP LOCKED
  ) m
),
taken AS (
  UPDATE message_progress m SET due_at = now() + :holdMs::int * interval '1 millisecond'
  FROM picked WHERE m.workspace_id = picked.workspace_id AND m.id = picked.id
  RETURNING m.*
)
SELECT ${dispatchRowColumns('r')}, m."to", r.body, m.started_at AS "startedAt",
  (m.attempt > 0 OR m.is_scheduled) AS "isPostponed",
  CASE WHEN p.type IS NULL THEN NULL ELSE json_build_object(
    'id', p.id, 'type', p.type, 'vendorAccountId', p.vendor_account_id,
    'sealedSecret', p.sealed_secret,
    'senderPool', p.sender_pool,
    'onUnknown', p.on_unknown,
    'isRefused', p.refused_since IS NOT NULL,
    'isFailing', p.failing_since IS NOT NULL,
    'isVerified', COALESCE(p.verified_credentials = p.sealed_secret, false)) END AS provider
FROM taken m JOIN message_records r ON r.workspace_id = m.workspace_id AND r.id = m.id ${JOIN_ACCOUNT}`;

/** Rows of one state. For ready rows, either the new ones or the postponed ones. */
export interface DueKind {
  dispatch: Extract<DispatchState, 'ready' | 'inflight' | 'unknown' | 'accepted'>;
  isNew: boolean;
  /** For how long after their due time other processes may take the rows. */
  graceMs: number;
}

export interface TakeDueOptions {
  kinds: readonly DueKind[];
  /** The total number of rows, shared equally by the workspaces with due rows. */
  limit: number;
  /** The capacity of each workspace by its id; any other workspace has `capacityOfOthers`. */
  capacities: ReadonlyMap<string, number>;
  capacityOfOthers: number;
  /** For how long the rows belong to this sweeper. */
  holdMs: number;
}

export async function takeDueMessages(
  pool: pg.Pool,
  { kinds, limit, capacities, capacityOfOthers, holdMs }: TakeDueOptions,
): Promise<DueMessage[]> {
  const values = {
    states: kinds.map(({ dispatch }) => dispatch),
    areNew: kinds.map((kind) => kind.isNew),
    gracesMs: kinds.map(({ graceMs }) => graceMs),
    limit,
    workspaceIds: [...capacities.keys()],
    capacities: [...capacities.values()],
    capacityOfOthers,
    holdMs,
  };
  return runStatement<DueMessage>(pool, ...named(SQL, values));
}

export interface ReadyMessage {
  messageId: string;
  workspaceId: string;
  requestId: string | null;
}

/** Lists all rows that wait to be sent, in pages by workspace and id, after all hints were lost. */
export async function listReadyMessages(
  pool: pg.Pool,
  after: ReadyMessage | null,
  limit: number,
): Promise<ReadyMessage[]> {
  return runStatement(
    pool,
    `SELECT m.id AS "messageId", m.workspace_id AS "workspaceId", r.request_id AS "requestId"
     FROM message_progress m JOIN message_records r ON r.workspace_id = m.workspace_id AND r.id = m.id
     WHERE m.dispatch = 'ready' AND (m.workspace_id, m.id) > ($1::uuid, $2::uuid)
       AND (m.not_before IS NULL OR m.not_before <= now())
     ORDER BY m.workspace_id, m.id LIMIT $3::int`,
    [after?.workspaceId ?? MIN_ID, after?.messageId ?? MIN_ID, limit],
  );
}
