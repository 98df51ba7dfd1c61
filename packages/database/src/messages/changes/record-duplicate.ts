import type { MessageKey } from '@switchboard/core';
import type { EventWriter } from '../events/event-numbering.ts';
import { takeEventNumbers } from '../events/take-event-numbers.ts';
import { named } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';

const COLUMNS = `m.workspace_id, m.id, m.version, m.status, m."from", m.provider_sid, m.error_code, m.error_detail,
    m.sent_at, m.delivered_at`;

// Recorded once for each identifier. The statement compares the version: of two concurrent calls, the
// later one finds another version, and on its second try finds the event of the first.
const SQL = `
WITH message AS (
  SELECT version FROM messages WHERE workspace_id = :workspaceId::uuid AND id = :id::uuid
    AND NOT EXISTS (SELECT 1 FROM message_events e
      WHERE e.workspace_id = :workspaceId::uuid AND e.message_id = :id::uuid AND e.detail = :detail)
),
in_progress AS (
  UPDATE message_progress m SET version = m.version + 1
  WHERE m.workspace_id = :workspaceId::uuid AND m.id = :id::uuid AND m.version = (SELECT version FROM message)
  RETURNING ${COLUMNS}
),
finished AS (
  UPDATE message_records m SET version = m.version + 1
  WHERE m.workspace_id = :workspaceId::uuid AND m.id = :id::uuid AND m.version = (SELECT version FROM message)
  RETURNING ${COLUMNS}
),
target AS (SELECT * FROM in_progress UNION ALL SELECT * FROM finished),
totals AS (SELECT workspace_id, 1 AS n FROM target),
${takeEventNumbers(':numbering')}
INSERT INTO message_events (workspace_id, seq, message_id, message_version, type, at, detail, visible,
  status, "from", provider_sid, error_code, error_detail, sent_at, delivered_at)
SELECT t.workspace_id, c.last_seq, t.id, t.version, 'provider_accepted', now(), :detail, false, t.status,
  t."from", t.provider_sid, t.error_code, t.error_detail, t.sent_at, t.delivered_at
FROM target t JOIN counters c USING (workspace_id)
RETURNING workspace_id AS "workspaceId", seq`;

export interface RecordedDuplicate {
  workspaceId: string;
  seq: number;
}

/**
 * Records in a message's timeline that the provider has accepted it twice. Returns null if the
 * timeline already contains this event.
 */
export async function recordDuplicate(
  { pool, numbering }: EventWriter,
  { workspaceId, id }: MessageKey,
  sid: string,
): Promise<RecordedDuplicate | null> {
  const detail = `Sent twice: the provider also accepted it as ${sid}`;
  const values = { workspaceId, id, detail, numbering: numbering.value };
  const [row] = await runStatement<RecordedDuplicate>(pool, ...named(SQL, values));
  if (row !== undefined) return row;
  const [second] = await runStatement<RecordedDuplicate>(pool, ...named(SQL, values));
  return second ?? null;
}
