import { IS_SENDER_OF_ACCOUNT } from '../phone-numbers/sender-account.ts';

/**
 * The `NumberHome` of the account `p` (provider_accounts), as JSON. Numbers are searched only if no country is
 * chosen, because every webhook reads this.
 */
export const NUMBER_HOME = `(
  SELECT json_build_object('country', h.country, 'own', CASE WHEN h.country IS NULL THEN (
    SELECT n.number FROM phone_numbers n
    WHERE n.workspace_id = p.workspace_id AND n.number LIKE '+%'
    ORDER BY (${IS_SENDER_OF_ACCOUNT}) DESC, n.is_default DESC, n.id LIMIT 1) END)
  FROM (SELECT COALESCE(p.country, w.country) AS country
    FROM workspaces w WHERE w.id = p.workspace_id) AS h)`;
