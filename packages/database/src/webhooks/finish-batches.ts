import type { WebhookEventType } from '@switchboard/core';
import type pg from 'pg';
import { type Prepared, runStatement } from '../run-statement.ts';
import type { EndpointKey } from './webhook-endpoint.ts';

/** One attempt to deliver an event. */
export interface WebhookAttempt {
  at: string;
  status_code: number | null;
  duration_ms: number;
  /** Null if it was delivered. */
  error: string | null;
  /** The beginning of the response's body; null without a response. */
  response: string | null;
}

/** An event of a batch that was not delivered, and gets a row. */
export interface UndeliveredEvent {
  sequence: number;
  eventSeq: number;
  eventId: string;
  eventType: WebhookEventType;
  messageId: string;
  eventAt: string;
  /** Empty if the event was not sent. */
  attempts: readonly WebhookAttempt[];
  /** The time until the next attempt; null if the delivery has failed. */
  delayMs: number | null;
}

export interface FinishedBatch extends EndpointKey {
  firstSequence: number;
  /** For each event the status code of its delivery, or 0 if it is in `undelivered`. */
  statuses: readonly number[];
  durationsMs: readonly number[];
  undelivered: readonly UndeliveredEvent[];
}

// If two workers deliver the same batch, because one was frozen, the first result counts.
const FINISH: Prepared = {
  name: 'finish_webhook_batches',
  text: `
WITH input AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS b(
    "workspaceId" uuid, "endpointId" uuid, "firstSequence" bigint, statuses smallint[], "durationsMs" int[], undelivered jsonb)
),
finished AS (
  UPDATE webhook_batches b SET finished_at = now(), statuses = i.statuses,
    durations_ms = i."durationsMs",
    delivered = cardinality(i.statuses) - jsonb_array_length(i.undelivered)
  FROM input i
  WHERE b.workspace_id = i."workspaceId" AND b.endpoint_id = i."endpointId"
    AND b.first_sequence = i."firstSequence" AND b.finished_at IS NULL
  RETURNING b.workspace_id, b.endpoint_id, i.undelivered
)
INSERT INTO webhook_deliveries (workspace_id, endpoint_id, sequence, event_seq, event_id, event_type,
  message_id, event_at, status, attempts, tries, next_attempt_at, created_at)
SELECT f.workspace_id, f.endpoint_id, u.sequence, u."eventSeq", u."eventId", u."eventType",
  u."messageId", u."eventAt", CASE WHEN u."delayMs" IS NULL THEN 'failed' ELSE 'pending' END,
  u.attempts, jsonb_array_length(u.attempts), now() + u."delayMs" * interval '1 millisecond', now()
FROM finished f,
  LATERAL jsonb_to_recordset(f.undelivered) AS u(
    sequence bigint, "eventSeq" bigint, "eventId" uuid, "eventType" text, "messageId" uuid,
    "eventAt" timestamptz, attempts jsonb, "delayMs" float8)
ON CONFLICT (workspace_id, endpoint_id, sequence) DO NOTHING`,
};

/** Records the outcomes of whole batches: delivered events in the batch, all others in rows. */
export async function finishBatches(
  pool: pg.Pool,
  batches: readonly FinishedBatch[],
): Promise<void> {
  await runStatement(pool, FINISH, [JSON.stringify(batches)]);
}
