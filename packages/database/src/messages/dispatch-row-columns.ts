import type { DispatchRow } from '@switchboard/core';

/** A row with the request that created it, which connects its logs and traces. */
export interface TraceableRow extends DispatchRow {
  requestId: string | null;
  /** The trace in which the message was accepted, in W3C's form. */
  traceParent: string | null;
}

/** The select list of a `TraceableRow`, from `messages m` and its workspace's provider `p`. */
export const DISPATCH_ROW_COLUMNS = `
  m.id, m.workspace_id AS "workspaceId", m.version, m.dispatch, m.attempt, m.resends, m.lookups,
  m.status, m.provider_status AS "providerStatus", m.provider_sid AS "providerSid",
  m.provider_account AS "providerAccount", m.sid_adopted AS "sidAdopted", m."from",
  m.error_code AS "errorCode", m.error_detail AS "errorDetail", m.error_status AS "errorStatus",
  COALESCE(p.on_unknown, 'fail') AS "onUnknown",
  COALESCE(EXTRACT(EPOCH FROM now() - COALESCE(m.first_attempt_at, m.started_at)), 0)::float8 * 1000
    AS "triedForMs",
  COALESCE(EXTRACT(EPOCH FROM now() - GREATEST(m.first_attempt_at, m.started_at)), 0)::float8 * 1000
    AS "inDoubtForMs",
  m.request_id AS "requestId", m.trace_parent AS "traceParent"`;
