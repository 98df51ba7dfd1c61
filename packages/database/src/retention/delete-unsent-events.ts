import type { Mode } from '@switchboard/core';
import { named } from '../named-statement.ts';
import type { Run } from '../run-statement.ts';

// An enabled endpoint numbers its events within seconds.
const DELETE = `
DELETE FROM webhook_other_events WHERE (workspace_id, endpoint_id, added_at, event_id) IN (
  SELECT o.workspace_id, o.endpoint_id, o.added_at, o.event_id
  FROM webhook_endpoints w JOIN webhook_other_events o ON o.workspace_id = w.workspace_id AND o.endpoint_id = w.id
  WHERE NOT w.enabled AND is_test_workspace(w.workspace_id) = :isTest::boolean AND o.added_at < :before::timestamptz
  LIMIT :limit::int FOR UPDATE OF o SKIP LOCKED)
RETURNING 1`;

/** Deletes events other than those of messages that have waited too long for a disabled endpoint. Returns their number. */
export async function deleteUnsentEvents(
  run: Run,
  { mode, before, limit }: { mode: Mode; before: Date; limit: number },
): Promise<number> {
  return (await run(...named(DELETE, { isTest: mode === 'test', before, limit }))).length;
}
