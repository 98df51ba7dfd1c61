/**
 * The values of `provider_id` and `provider_type` of a new event. An empty type means that the message had no
 * account at the event.
 */
export const EVENT_ACCOUNT = "account.id, COALESCE(account.type, '')";

/** Joins the account of a changed message, as it is at the event. */
export const joinEventAccount = (message: string): string => `
  LEFT JOIN provider_accounts account ON account.workspace_id = ${message}.workspace_id
    AND account.account_sid = ${message}.provider_account`;

/**
 * The account of a message at the event `e`. An event of an earlier release has no type: the account is
 * then the current one of the message.
 */
export const ACCOUNT_AT_EVENT = `
  CASE WHEN e.provider_type IS NULL THEN account.id ELSE e.provider_id END AS "providerId",
  CASE WHEN e.provider_type IS NULL THEN account.type ELSE NULLIF(e.provider_type, '') END AS "providerType"`;
