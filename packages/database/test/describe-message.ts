import type { Pool } from 'pg';

/** Everything that a report may change, with the parts that two messages have in common. */
export async function describeMessage(pool: Pool, id: string): Promise<unknown> {
  const { rows } = await pool.query(
    `SELECT m.version, m.dispatch, m.resends, m.lookups, m.status, m.provider_status, m.sid_adopted,
       m."from", m.error_code, m.error_detail, m.error_status, m.failed_accounts, m.not_before,
       m.due_at IS NULL AS is_finished, m.due_at > now() + interval '2 minutes' AS is_due_late,
       m.updated_at > m.created_at AS is_updated, m.sent_at IS NULL AS is_unsent,
       m.delivered_at IS NULL AS is_undelivered, m.provider_sid IS NULL AS has_no_sid,
       m.last_event IS NULL AS has_no_last_event, e.events
     FROM messages m LEFT JOIN LATERAL (
       SELECT array_agg(concat_ws(' ', e.type, e.status, e.visible, e.detail, e.message_version,
         e."from", e.error_code, e.sent_at IS NULL, e.delivered_at IS NULL, e.at = m.updated_at)
         ORDER BY e.seq) AS events
       FROM message_events e WHERE e.message_id = m.id) e ON true
     WHERE m.id = $1`,
    [id],
  );
  return rows[0];
}
