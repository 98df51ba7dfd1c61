import type pg from 'pg';
import { DUE_NOW } from '../due-now.ts';
import { type Prepared, runStatement } from '../run-statement.ts';

const MAX_AT_ONCE = 100;

// Numbers are taken under the lock of the endpoint's row, as `claimBatches` takes them.
const NUMBER: Prepared = {
  name: 'number_other_webhook_events',
  text: `
WITH endpoint AS (
  SELECT id, workspace_id, next_sequence FROM webhook_endpoints WHERE id = $1::uuid FOR UPDATE
),
taken AS (
  DELETE FROM webhook_other_events WHERE id IN (
    SELECT o.id FROM webhook_other_events o JOIN endpoint ON o.endpoint_id = endpoint.id
    ORDER BY o.id LIMIT ${MAX_AT_ONCE})
  RETURNING *
),
numbered AS (
  SELECT taken.*, endpoint.workspace_id,
    endpoint.next_sequence + row_number() OVER (ORDER BY taken.id) - 1 AS sequence
  FROM taken, endpoint
),
added AS (
  INSERT INTO webhook_deliveries (endpoint_id, sequence, workspace_id, event_id, event_type, data,
    event_at, status, next_attempt_at, created_at)
  SELECT endpoint_id, sequence, workspace_id, event_id, event_type, data, event_at, 'pending',
    ${DUE_NOW}, now()
  FROM numbered
)
UPDATE webhook_endpoints w SET next_sequence = w.next_sequence + (SELECT count(*) FROM taken)
FROM endpoint WHERE w.id = endpoint.id AND EXISTS (SELECT FROM taken)
RETURNING (SELECT max(sequence) FROM numbered) AS sequence`,
};

/**
 * Assigns the next numbers of an endpoint to its events that are not in `message_events`, and makes
 * them pending deliveries. Returns the last number, or null if there was no such event.
 */
export async function numberOtherEvents(pool: pg.Pool, endpointId: string): Promise<number | null> {
  const [row] = await runStatement<{ sequence: number }>(pool, NUMBER, [endpointId]);
  return row?.sequence ?? null;
}
