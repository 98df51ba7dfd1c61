import { ERASED } from '@switchboard/core';
import { lockForOptOuts } from '../events/take-event-numbers.ts';

// A message from the provider's list is late: messages that followed it may already be stored. A
// late STOP or START takes effect only if nothing later contradicts it. The row of a START has its
// earliest possible time and that of a STOP its latest, so that the STOP wins if their order is in
// doubt.

/** A webhook may arrive this long after its message: the provider retries, and so do we. */
export const WEBHOOK_DELAY = `interval '30 seconds'`;
/** Times in the provider's list are whole seconds, by a clock that is measured to a second. */
const LIST_ERROR = `interval '2 seconds'`;

/** The condition under which the keyword of a late message `i` takes effect. */
export const LATE_TAKES_EFFECT = `CASE i.keyword
  WHEN 'opt_out' THEN NOT EXISTS (
    SELECT FROM opt_ins o WHERE o.workspace_id = i.workspace_id AND o.number = ANY(i.forms)
      AND o.opted_in_at > i.created_at + ${LIST_ERROR})
  WHEN 'opt_in' THEN NOT EXISTS (
    SELECT FROM opt_outs o WHERE o.workspace_id = i.workspace_id AND o.number = ANY(i.forms)
      AND COALESCE(o.latest_at, o.created_at) > i.created_at - ${LIST_ERROR})
  ELSE true END`;

/**
 * The effects of the keywords in `effective`, as common table expressions. An opt-out is stored for the number as
 * it came, or for its keyed hash, and all forms of the number opt in.
 */
export const KEYWORD_EFFECTS = `
${lockForOptOuts('effective')},
opted_out AS (
  INSERT INTO opt_outs AS o (workspace_id, number, reason, created_at, is_erased)
  SELECT a.workspace_id, a."from", a.opt_out_reason, a.created_at, starts_with(a."from", '${ERASED}:')
  FROM effective a LEFT JOIN opt_out_locks l USING (workspace_id)
  WHERE a.keyword = 'opt_out'
  ON CONFLICT (workspace_id, number) DO UPDATE
    SET latest_at = GREATEST(o.latest_at, o.created_at, excluded.created_at)
),
opted_in AS (
  DELETE FROM opt_outs o USING effective a LEFT JOIN opt_out_locks l USING (workspace_id)
  WHERE a.keyword = 'opt_in'
    AND o.workspace_id = a.workspace_id AND o.number = ANY(a.forms)
    -- Again, on the row as it is once it is locked: a STOP may have committed since the snapshot.
    AND (NOT a.is_late OR COALESCE(o.latest_at, o.created_at) <= a.created_at - ${LIST_ERROR})
  RETURNING 1
),
remembered AS (
  INSERT INTO opt_ins AS o (workspace_id, number, opted_in_at)
  SELECT a.workspace_id, a."from",
    a.created_at - CASE WHEN a.is_late THEN ${LIST_ERROR} ELSE ${WEBHOOK_DELAY} END
  FROM effective a LEFT JOIN opt_out_locks l USING (workspace_id)
  -- Reads opted_in so that opt_outs is locked first.
  WHERE a.keyword = 'opt_in' AND (SELECT count(*) FROM opted_in) >= 0
  ON CONFLICT (workspace_id, number) DO UPDATE
    SET opted_in_at = GREATEST(o.opted_in_at, excluded.opted_in_at)
),
unsuspected AS (
  UPDATE conversations c SET opt_out_suspected = false FROM effective a
  WHERE a.keyword = 'opt_in' AND c.workspace_id = a.workspace_id AND c.number = ANY(a.forms)
    AND c.opt_out_suspected
)`;
