import type { DispatchRow } from '@switchboard/core';

/** A row with the request that created it, which connects its logs and traces. */
export interface TraceableRow extends DispatchRow {
  requestId: string | null;
  /** The trace in which the message was accepted, as a W3C `traceparent`. */
  traceParent: string | null;
}

/**
 * Joins a message `m` with the account `p` of its latest attempt, as far as calls about the message need it: its
 * workspace may have removed it, or replaced its credentials by those of another account at the vendor, which does
 * not know the message.
 */
export const JOIN_ACCOUNT = `LEFT JOIN provider_accounts p ON p.workspace_id = m.workspace_id
  AND p.id = m.provider_id AND p.vendor_account_id = m.vendor_account_id`;

/**
 * The select list of a `TraceableRow`, from the state `m` of a message, its record `record`, and the account `p` of its
 * latest attempt. The view `messages` is both state and record.
 */
export const dispatchRowColumns = (record = 'm'): string => `
  m.id, m.workspace_id AS "workspaceId", m.version, m.dispatch, m.attempt, m.resends, m.lookups,
  m.proved_resends AS "provedResends", COALESCE(m.failed_accounts, '{}') AS "failedAccounts",
  m.status, m.provider_status AS "providerStatus", m.provider_sid AS "providerSid",
  m.provider_id AS "providerId", m.vendor_account_id AS "vendorAccountId", m.sid_adopted AS "sidAdopted", m."from",
  m.error_code AS "errorCode", m.error_detail AS "errorDetail", m.error_status AS "errorStatus",
  COALESCE(p.on_unknown, 'fail') AS "onUnknown",
  COALESCE(EXTRACT(EPOCH FROM now() - COALESCE(m.first_attempt_at, m.started_at)), 0)::float8 * 1000
    AS "triedForMs",
  COALESCE(EXTRACT(EPOCH FROM now() - GREATEST(m.first_attempt_at, m.started_at)), 0)::float8 * 1000
    AS "inDoubtForMs",
  m.due_at IS NOT NULL AS "isInProgress",
  ${record}.request_id AS "requestId", ${record}.trace_parent AS "traceParent"`;
