import type { WebhookEventType } from '@switchboard/core';
import type pg from 'pg';
import { defineQuery } from '../named-statement.ts';
import { type Prepared, runStatement } from '../run-statement.ts';
import type { WebhookAttempt } from './finish-batches.ts';
import { type EndpointKey, TARGET_COLUMNS, type WebhookTarget } from './webhook-endpoint.ts';

/** A pending delivery whose next attempt belongs to this worker. */
export interface DueDelivery extends WebhookTarget {
  revision: number;
  sequence: number;
  /** Null if the event is not in `message_events`. */
  eventSeq: number | null;
  eventId: string;
  eventType: WebhookEventType;
  /** The data of an event that is not in `message_events`. */
  data: unknown;
  eventAt: Date;
  tries: number;
  claim: string;
}

// A failing endpoint receives one delivery at a time.
const TAKE = defineQuery(
  {
    name: 'take_due_webhook_deliveries',
    text: `
WITH picked AS (
  SELECT d.* FROM webhook_endpoints w, LATERAL (
    SELECT workspace_id, endpoint_id, sequence FROM webhook_deliveries
    WHERE workspace_id = w.workspace_id AND endpoint_id = w.id AND status = 'pending' AND next_attempt_at <= now()
    ORDER BY next_attempt_at, sequence LIMIT CASE WHEN w.failures > 0 THEN 1 ELSE :perEndpoint::int END
    FOR UPDATE SKIP LOCKED
  ) d
  WHERE w.enabled AND (w.not_before IS NULL OR w.not_before <= now()) AND w.id <> ALL(:except::uuid[])
  LIMIT :limit::int
)
UPDATE webhook_deliveries d SET claim = :claim::uuid,
  next_attempt_at = now() + :leaseMs::float8 * interval '1 millisecond'
FROM picked p, webhook_endpoints w
WHERE d.workspace_id = p.workspace_id AND d.endpoint_id = p.endpoint_id AND d.sequence = p.sequence
  AND w.workspace_id = p.workspace_id AND w.id = p.endpoint_id
RETURNING ${TARGET_COLUMNS}, w.revision, d.sequence, d.event_seq AS "eventSeq",
  d.event_id AS "eventId", d.event_type AS "eventType", d.data, d.event_at AS "eventAt", d.tries,
  d.claim`,
  },
  ['claim', 'leaseMs', 'perEndpoint', 'limit', 'except'],
);

/**
 * Takes deliveries whose next attempt is due: at most `perEndpoint` of each enabled endpoint, and `limit`
 * in total. They become due again if they are not recorded within the lease.
 */
export function takeDueDeliveries(
  pool: pg.Pool,
  query: {
    claim: string;
    leaseMs: number;
    perEndpoint: number;
    limit: number;
    /** Endpoints that already have enough deliveries in flight. */
    except: readonly string[];
  },
): Promise<DueDelivery[]> {
  return runStatement(pool, TAKE, TAKE.toValues(query));
}

export interface AttemptResult extends EndpointKey {
  sequence: number;
  claim: string;
  status: 'pending' | 'delivered' | 'failed';
  /** Null if nothing was sent. */
  attempt: WebhookAttempt | null;
  /** The time until the next attempt; null unless it is pending. */
  delayMs: number | null;
}

const MAX_ATTEMPTS_KEPT = 20;

const RECORD: Prepared = {
  name: 'record_webhook_attempts',
  text: `
WITH input AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(
    "workspaceId" uuid, "endpointId" uuid, sequence bigint, claim uuid, status text, attempt jsonb, "delayMs" float8)
)
UPDATE webhook_deliveries d SET status = r.status, claim = NULL,
  next_attempt_at = now() + r."delayMs" * interval '1 millisecond',
  attempts = CASE WHEN jsonb_typeof(r.attempt) = 'object' THEN
    CASE WHEN jsonb_array_length(d.attempts) >= ${MAX_ATTEMPTS_KEPT} THEN d.attempts - 0
      ELSE d.attempts END || jsonb_build_array(r.attempt)
    ELSE d.attempts END,
  tries = d.tries + CASE WHEN jsonb_typeof(r.attempt) = 'object' THEN 1 ELSE 0 END
FROM input r
WHERE d.workspace_id = r."workspaceId" AND d.endpoint_id = r."endpointId"
  AND d.sequence = r.sequence AND d.claim = r.claim`,
};

/** Records attempts. A delivery that another worker has taken since, or that was retried, is left alone. */
export async function recordAttempts(
  pool: pg.Pool,
  results: readonly AttemptResult[],
): Promise<void> {
  await runStatement(pool, RECORD, [JSON.stringify(results)]);
}
