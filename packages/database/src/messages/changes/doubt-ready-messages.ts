import { DUE_NOW } from '../../due-now.ts';
import type { EventWriter } from '../events/event-numbering.ts';
import { takeEventNumbers } from '../events/take-event-numbers.ts';
import { runStatement } from '../../run-statement.ts';

// A message that is ready in the backup may have been sent after the backup was made. So the outcome of
// each message that could have been sent by now becomes unknown, and its lookups start immediately. A
// message that is scheduled for later can't have been sent. No attempt is known to be in doubt, so
// `attempt` is 0, and a message that the lookup does not find is sent as it would have been.
const SQL = `
WITH target AS (
  SELECT m.workspace_id, m.id, r.created_at, r.scheduled_at, p.id AS provider_id, p.vendor_account_id
  FROM message_progress m JOIN message_records r ON r.workspace_id = m.workspace_id AND r.id = m.id
  LEFT JOIN provider_accounts p ON p.workspace_id = m.workspace_id AND p.is_default
  WHERE m.dispatch = 'ready' AND (r.scheduled_at IS NULL OR r.scheduled_at <= now())
  ORDER BY m.workspace_id, m.id LIMIT $1::int
  FOR UPDATE OF m
),
doubted AS (
  UPDATE message_progress m SET
    dispatch = 'unknown', version = m.version + 1, attempt = 0, lookups = 0,
    started_at = COALESCE(m.started_at, GREATEST(t.created_at, t.scheduled_at)),
    -- The time limit of retries starts again, because the service could not query the provider before.
    first_attempt_at = now(),
    failed_accounts = NULL,
    provider_id = CASE WHEN m.resends > m.proved_resends THEN m.provider_id
      ELSE COALESCE(t.provider_id, m.provider_id) END,
    vendor_account_id = CASE WHEN m.resends > m.proved_resends THEN m.vendor_account_id
      ELSE COALESCE(t.vendor_account_id, m.vendor_account_id) END,
    due_at = ${DUE_NOW}
  FROM target t WHERE m.workspace_id = t.workspace_id AND m.id = t.id
  RETURNING m.*
),
totals AS (SELECT workspace_id, count(*) AS n FROM doubted GROUP BY workspace_id),
${takeEventNumbers('$2')}
INSERT INTO message_events (workspace_id, seq, message_id, message_version, type, at, detail, visible,
  status, "from", provider_sid, error_code, error_detail, sent_at, delivered_at)
SELECT d.workspace_id,
  c.last_seq - t.n + row_number() OVER (PARTITION BY d.workspace_id ORDER BY d.id),
  d.id, d.version, 'outcome_unknown', now(),
  'The database was restored: the message may have been sent after the backup', false, d.status,
  d."from", d.provider_sid, d.error_code, d.error_detail, d.sent_at, d.delivered_at
FROM doubted d JOIN totals t USING (workspace_id) JOIN counters c USING (workspace_id)
RETURNING 1`;

/**
 * Returns a function for a database that was restored to an earlier state, to be called before any
 * worker runs on it. It holds back messages that may have been sent since the backup until a lookup.
 * It processes at most `limit` messages and returns their number.
 */
export function createDoubtReadyMessages({ pool, numbering }: EventWriter) {
  return async (limit: number): Promise<number> =>
    (await runStatement(pool, SQL, [limit, numbering.value])).length;
}
