/** The values of `provider_id` and `provider_type` of a new event. Both are null if the message had no account. */
export const EVENT_ACCOUNT = 'account.id, account.type';

/** Joins the account of a changed message, as it is at the event. */
export const joinEventAccount = (message: string): string => `
  LEFT JOIN provider_accounts account ON account.workspace_id = ${message}.workspace_id
    AND account.id = ${message}.provider_id`;

/** The account of a message at the event `e`. */
export const ACCOUNT_AT_EVENT = `e.provider_id AS "providerId", e.provider_type AS "providerType"`;
