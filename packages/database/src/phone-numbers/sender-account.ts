/** Whether the sender `n` (phone_numbers) belongs to the account `p` (provider_accounts). */
export const IS_SENDER_OF_ACCOUNT = `n.workspace_id = p.workspace_id
  AND CASE WHEN n.provider_id IS NULL THEN p.is_default ELSE n.provider_id = p.id END`;
