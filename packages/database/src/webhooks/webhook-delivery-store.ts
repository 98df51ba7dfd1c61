import { REPLAY_MAX_EVENTS, type WebhookEventType } from '@switchboard/core';
import type { Database } from '../database.ts';
import { DUE_NOW } from '../due-now.ts';
import type { Page, PageRequest } from '../list-page.ts';
import { named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';
import { DELIVERED_ITEMS, EVENT_TYPE, IS_DELIVERED_ITEM } from './delivered-items.ts';
import type { StoredMessage } from '../messages/rows/stored-message.ts';
import type { WebhookAttempt } from './finish-batches.ts';
import { numberOtherEvents } from './number-other-events.ts';
import { readNumberedEvents } from './read-numbered-events.ts';
import { replayDeliveries } from './replay-deliveries.ts';
import type { EndpointKey } from './webhook-endpoint.ts';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** A delivery of an event to an endpoint. */
export interface StoredDelivery {
  sequence: number;
  eventId: string;
  eventType: WebhookEventType;
  /** Null if the event is not about a message. */
  messageId: string | null;
  status: DeliveryStatus;
  attempts: WebhookAttempt[];
  nextAttemptAt: Date | null;
  eventAt: Date;
  /** The data of the event; null if its message was deleted. */
  data: { message: StoredMessage } | { record: unknown } | null;
}

interface DeliveryRow extends Omit<StoredDelivery, 'data'> {
  eventSeq: number | null;
  data: unknown;
}

/** The deliveries to each endpoint, of the last `WEBHOOK_HISTORY_DAYS` and all that are pending. */
export interface WebhookDeliveryStore {
  /** Newest first. `status` null lists all. */
  list(
    key: EndpointKey,
    status: DeliveryStatus | null,
    page: PageRequest,
  ): Promise<Page<StoredDelivery>>;
  find(key: EndpointKey, sequence: number): Promise<StoredDelivery | null>;
  /** Makes a delivery due now, whatever its status. Returns false if it is not known. */
  retry(key: EndpointKey, sequence: number): Promise<boolean>;
  /** Makes all events of a period due again that have a number for the endpoint. Returns their count. */
  replay(key: EndpointKey, period: { since: Date; until: Date }): Promise<number | 'too_many'>;
  /** Adds an event of the type `endpoint.test`, due now. Returns its number. */
  addTest(key: EndpointKey): Promise<number>;
}

const ROW_COLUMNS = `
  d.sequence, d.event_id AS "eventId", d.event_type AS "eventType", d.message_id AS "messageId",
  d.status, d.attempts, d.next_attempt_at AS "nextAttemptAt", d.event_at AS "eventAt", d.data,
  d.event_seq AS "eventSeq"`;

const LIST_ITEMS = `
SELECT found.sequence, e.id AS "eventId", ${EVENT_TYPE} AS "eventType", e.message_id AS "messageId",
  'delivered' AS status,
  jsonb_build_array(jsonb_build_object('at', iso_time(found.claimed_at), 'status_code', found.code,
    'duration_ms', found.duration_ms, 'error', NULL, 'response', NULL)) AS attempts,
  NULL::timestamptz AS "nextAttemptAt", e.at AS "eventAt", NULL::jsonb AS data, e.seq AS "eventSeq"
FROM (
  SELECT b.first_sequence + item.i - 1 AS sequence, item.event_seq, b.claimed_at,
    b.statuses[item.i] AS code, b.durations_ms[item.i] AS duration_ms
  FROM ${DELIVERED_ITEMS}
  WHERE b.workspace_id = :workspaceId::uuid AND b.endpoint_id = :endpointId::uuid AND ${IS_DELIVERED_ITEM}
    AND (:sequence::bigint IS NULL OR (b.first_sequence <= :sequence AND b.first_sequence + item.i - 1 = :sequence))
  ORDER BY b.first_sequence DESC, item.i DESC LIMIT :limit::int
) found
JOIN message_events e ON e.workspace_id = :workspaceId::uuid AND e.seq = found.event_seq
ORDER BY found.sequence DESC`;

/** A page of both. The database skips the pages before it, so that none of their rows is read here. */
const LIST = `
SELECT * FROM (
  (SELECT ${ROW_COLUMNS} FROM webhook_deliveries d
   WHERE d.workspace_id = :workspaceId::uuid AND d.endpoint_id = :endpointId::uuid AND (:status::text IS NULL OR d.status = :status)
   ORDER BY d.sequence DESC LIMIT :limit::int)
  UNION ALL
  (SELECT * FROM (${LIST_ITEMS}) items WHERE :status IS NULL OR :status = 'delivered')
) found
ORDER BY found.sequence DESC OFFSET :skip::int LIMIT :size::int`;

// A replayed event is counted by its row, and no longer by its batch.
const COUNT = `
SELECT
  (SELECT count(*) FROM webhook_deliveries d
   WHERE d.workspace_id = $2::uuid AND d.endpoint_id = $1::uuid AND ($3::text IS NULL OR d.status = $3))
  + CASE WHEN $3 IS NULL OR $3 = 'delivered' THEN
      (SELECT COALESCE(sum(delivered), 0) FROM webhook_batches
       WHERE workspace_id = $2::uuid AND endpoint_id = $1::uuid)
      - (SELECT count(*) FROM webhook_deliveries d
         WHERE d.workspace_id = $2::uuid AND d.endpoint_id = $1::uuid AND d.is_replay)
    ELSE 0 END AS count`;

// A delivery to the endpoint is attempted immediately, even if the endpoint is on hold.
const UNHELD = `
unheld AS (
  UPDATE webhook_endpoints SET not_before = NULL
  WHERE workspace_id = $2::uuid AND id = $1::uuid AND not_before IS NOT NULL
)`;

const RETRY = `
WITH ${UNHELD}
UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = ${DUE_NOW}, claim = NULL, tries = 0
WHERE workspace_id = $2::uuid AND endpoint_id = $1::uuid AND sequence = $3 RETURNING 1`;

const ADD_TEST = `
WITH ${UNHELD}
INSERT INTO webhook_other_events (workspace_id, endpoint_id, event_id, event_type, data, event_at)
VALUES ($2::uuid, $1::uuid, uuid_v7(now()), 'endpoint.test', jsonb_build_object('id', $1::text), now())
RETURNING event_id AS "eventId"`;

export function createWebhookDeliveryStore({ pool }: Pick<Database, 'pool'>): WebhookDeliveryStore {
  async function find(key: EndpointKey, sequence: number): Promise<StoredDelivery | null> {
    const [row] = await runStatement<DeliveryRow>(
      pool,
      `SELECT ${ROW_COLUMNS} FROM webhook_deliveries d
       WHERE d.workspace_id = $2::uuid AND d.endpoint_id = $1::uuid AND d.sequence = $3`,
      [key.endpointId, key.workspaceId, sequence],
    );
    const findItem = () =>
      runStatement<DeliveryRow>(pool, ...named(LIST_ITEMS, { ...key, limit: 1, sequence }));
    const found = row ?? (await findItem())[0];
    if (found === undefined) return null;
    return (await addData(key, [found]))[0] ?? null;
  }

  async function addData(
    { workspaceId }: EndpointKey,
    rows: readonly DeliveryRow[],
  ): Promise<StoredDelivery[]> {
    const wanted = rows.flatMap(({ eventSeq }) =>
      eventSeq === null ? [] : [{ workspaceId, seq: eventSeq }],
    );
    const found = wanted.length === 0 ? [] : await readNumberedEvents(pool, wanted);
    const messages = new Map(found.map(({ seq, message }) => [seq, message]));
    return rows.map(({ eventSeq, data, ...row }) => {
      if (eventSeq === null) return { ...row, data: { record: data } };
      const message = messages.get(eventSeq);
      return { ...row, data: message === undefined ? null : { message } };
    });
  }

  return {
    async list(key, status, { number, size }) {
      const [counted] = await runStatement<{ count: string | number }>(pool, COUNT, [
        key.endpointId,
        key.workspaceId,
        status,
      ]);
      const total = Number(counted?.count ?? 0);
      const skip = (number - 1) * size;
      if (skip >= total) return { items: [], total };
      const values = {
        ...key,
        limit: skip + size,
        sequence: null,
        status,
        skip,
        size,
      };
      return { items: await addData(key, await runStatement(pool, ...named(LIST, values))), total };
    },

    find,

    async retry(key, sequence) {
      const retried = await runStatement(pool, RETRY, [key.endpointId, key.workspaceId, sequence]);
      if (retried.length > 0) return true;
      return (await replayDeliveries(pool, key, { sequence })) > 0;
    },

    async replay(key, period) {
      const count = await replayDeliveries(pool, key, period);
      return count > REPLAY_MAX_EVENTS ? 'too_many' : count;
    },

    async addTest(key) {
      const { endpointId, workspaceId } = key;
      const [added] = await runStatement<{ eventId: string }>(pool, ADD_TEST, [
        endpointId,
        workspaceId,
      ]);
      // The test event may follow events that have no number yet, or a worker may already have
      // numbered it.
      for (;;) {
        const numbered = await numberOtherEvents(pool, key);
        const [row] = await runStatement<{ sequence: number }>(
          pool,
          `SELECT sequence FROM webhook_deliveries
           WHERE workspace_id = $2::uuid AND endpoint_id = $1::uuid AND event_id = $3::uuid`,
          [endpointId, workspaceId, added?.eventId],
        );
        if (row !== undefined) return row.sequence;
        if (numbered === null) throw new Error('the test event has no number');
      }
    },
  };
}
