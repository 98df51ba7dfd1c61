/** The select list of core's `DispatchRow`, from `messages m` and its workspace's provider `p`. */
export const DISPATCH_ROW_COLUMNS = `
  m.id, m.workspace_id AS "workspaceId", m.version, m.dispatch, m.attempt, m.resends, m.lookups,
  m.status, m.provider_status AS "providerStatus", m.provider_sid AS "providerSid",
  m.provider_account AS "providerAccount", m.sid_adopted AS "sidAdopted", m."from",
  m.error_code AS "errorCode", m.error_detail AS "errorDetail",
  COALESCE(p.on_unknown, 'fail') AS "onUnknown",
  EXTRACT(EPOCH FROM now() - COALESCE(m.scheduled_at, m.created_at))::float8 * 1000 AS "ageMs"`;
