import type pg from 'pg';
import { DUE_NOW } from '../due-now.ts';
import { type Prepared, runStatement } from '../run-statement.ts';
import type { EndpointKey } from './webhook-endpoint.ts';

const MAX_AT_ONCE = 100;

// Numbers are taken under the lock of the endpoint's row, as `claimBatches` takes them.
const NUMBER: Prepared = {
  name: 'number_other_webhook_events',
  text: `
WITH endpoint AS (
  SELECT id, workspace_id, next_sequence FROM webhook_endpoints 
  WHERE workspace_id = $1::uuid AND id = $2::uuid FOR UPDATE
),
taken AS (
  DELETE FROM webhook_other_events o USING endpoint
  WHERE o.workspace_id = endpoint.workspace_id AND o.endpoint_id = endpoint.id
    AND (o.added_at, o.event_id) IN (
      SELECT t.added_at, t.event_id FROM webhook_other_events t
      WHERE t.workspace_id = $1::uuid AND t.endpoint_id = $2::uuid
      ORDER BY t.added_at, t.event_id LIMIT ${MAX_AT_ONCE})
  RETURNING o.*
),
numbered AS (
  SELECT taken.*,
    endpoint.next_sequence + row_number() OVER (ORDER BY taken.added_at, taken.event_id) - 1 AS sequence
  FROM taken, endpoint
),
added AS (
  INSERT INTO webhook_deliveries (workspace_id, endpoint_id, sequence, event_id, event_type, data,
    event_at, status, next_attempt_at, created_at)
  SELECT workspace_id, endpoint_id, sequence, event_id, event_type, data, event_at, 'pending',
    ${DUE_NOW}, now()
  FROM numbered
)
UPDATE webhook_endpoints w SET next_sequence = w.next_sequence + (SELECT count(*) FROM taken)
FROM endpoint
WHERE w.workspace_id = endpoint.workspace_id AND w.id = endpoint.id AND EXISTS (SELECT FROM taken)
RETURNING (SELECT max(sequence) FROM numbered) AS sequence`,
};

/**
 * Assigns the next numbers of an endpoint to its events that are not in `message_events`, and makes
 * them pending deliveries. Returns the last number, or null if there was no such event.
 */
export async function numberOtherEvents(
  pool: pg.Pool,
  { workspaceId, endpointId }: EndpointKey,
): Promise<number | null> {
  const [row] = await runStatement<{ sequence: number }>(pool, NUMBER, [workspaceId, endpointId]);
  return row?.sequence ?? null;
}
