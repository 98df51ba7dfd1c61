import { REPLAY_MAX_EVENTS } from '@switchboard/core';
import type pg from 'pg';
import { DUE_NOW } from '../due-now.ts';
import { named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';
import { DELIVERED_ITEMS, EVENT_TYPE, IS_DELIVERED_ITEM } from './delivered-items.ts';
import type { EndpointKey } from './webhook-endpoint.ts';

/** Selects one delivery, or those of all events from `since` until before `until`. */
export type ReplayedPart = { sequence: number } | { since: Date; until: Date };

// Events without a row get one, with the number that their batch gave them. A batch is claimed after its
// events were written, so older batches are not read.
const REPLAY = `
WITH items AS (
  SELECT b.first_sequence + item.i - 1 AS sequence, e.*
  FROM ${DELIVERED_ITEMS}
  JOIN message_events e ON e.workspace_id = :workspaceId::uuid AND e.seq = item.event_seq
  WHERE b.workspace_id = :workspaceId::uuid AND b.endpoint_id = :endpointId::uuid AND ${IS_DELIVERED_ITEM}
    AND (:sequence::bigint IS NULL OR (b.first_sequence <= :sequence AND b.first_sequence + item.i - 1 = :sequence))
    AND (:since::timestamptz IS NULL OR (b.claimed_at >= :since AND e.at >= :since AND e.at < :until))
  LIMIT :limit::int
),
rows AS (
  SELECT d.sequence FROM webhook_deliveries d
  WHERE d.workspace_id = :workspaceId::uuid AND d.endpoint_id = :endpointId::uuid AND (:sequence::bigint IS NULL OR d.sequence = :sequence)
    AND (:since::timestamptz IS NULL OR (d.event_at >= :since AND d.event_at < :until))
  LIMIT :limit::int
),
total AS (
  SELECT (SELECT count(*) FROM items) + (SELECT count(*) FROM rows) AS n
),
added AS (
  INSERT INTO webhook_deliveries (workspace_id, endpoint_id, sequence, event_seq, event_id, event_type,
    message_id, event_at, status, attempts, next_attempt_at, is_replay, created_at)
  SELECT :workspaceId::uuid, :endpointId::uuid, e.sequence, e.seq, e.id, ${EVENT_TYPE}, e.message_id, e.at, 'pending', '[]',
    ${DUE_NOW}, true, now()
  FROM items e, total WHERE total.n < :limit::int
  ON CONFLICT (workspace_id, endpoint_id, sequence) DO UPDATE SET status = 'pending', next_attempt_at = ${DUE_NOW},
    claim = NULL, tries = 0
),
again AS (
  UPDATE webhook_deliveries d SET status = 'pending', next_attempt_at = ${DUE_NOW}, claim = NULL, tries = 0
  FROM rows, total
  WHERE d.workspace_id = :workspaceId::uuid AND d.endpoint_id = :endpointId::uuid AND d.sequence = rows.sequence
    AND total.n < :limit::int
),
unheld AS (
  UPDATE webhook_endpoints SET not_before = NULL
  WHERE workspace_id = :workspaceId::uuid AND id = :endpointId::uuid AND not_before IS NOT NULL
)
SELECT n FROM total`;

/**
 * Makes deliveries due now, with their numbers, and returns how many. If the result is more than
 * `REPLAY_MAX_EVENTS`, nothing was changed.
 */
export async function replayDeliveries(
  pool: pg.Pool,
  key: EndpointKey,
  part: ReplayedPart,
): Promise<number> {
  const values = { ...key, sequence: null, since: null, until: null, limit: REPLAY_MAX_EVENTS + 1 };
  const [row] = await runStatement<{ n: number }>(pool, ...named(REPLAY, { ...values, ...part }));
  return row?.n ?? 0;
}
