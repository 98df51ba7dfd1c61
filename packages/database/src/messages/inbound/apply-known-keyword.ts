import { type Keyword, type ReceivedMessage, normalizeKeyword } from '@switchboard/core';
import type pg from 'pg';
import { formsOf, toFormsValue } from '../../opt-outs/opt-out-forms.ts';
import { type Prepared, runStatement } from '../../run-statement.ts';
import { KEYWORD_EFFECTS, LATE_TAKES_EFFECT, WEBHOOK_DELAY } from './keyword-effects.ts';

// A repeated webhook arrives within 30 s, and the list is read for messages between 30 s and 7 days old.
const APPLY: Prepared = {
  name: 'apply_known_keyword',
  growsWith: ['message_records'],
  text: `
WITH i AS (
  SELECT workspace_id, "from", created_at, $4::text AS keyword, $5::text AS opt_out_reason,
    true AS is_late, ${formsOf('$6::text', '"from"')} AS forms
  FROM message_records
  WHERE workspace_id = $1::uuid AND direction = 'inbound' AND id = (
      SELECT message_id FROM provider_sids WHERE provider_sid = $3 AND vendor_account_id = $2)
    AND created_at BETWEEN now() - interval '7 days' AND now() - ${WEBHOOK_DELAY}
),
effective AS (SELECT i.* FROM i WHERE ${LATE_TAKES_EFFECT}),
${KEYWORD_EFFECTS}
SELECT count(*) FROM effective`,
};

/**
 * Applies a STOP or START that only the provider recognized, to a message that was imported from the
 * provider's list before its webhook arrived. The list does not show such keywords.
 */
export async function applyKnownKeyword(
  pool: pg.Pool,
  message: ReceivedMessage,
  keyword: Keyword,
): Promise<void> {
  if (keyword === 'help') return;
  const { workspaceId, vendorAccountId, providerSid } = message;
  const values = [workspaceId, vendorAccountId, providerSid, keyword, toOptOutReason(message)];
  await runStatement(pool, APPLY, [...values, toFormsValue(message.from)]);
}

export function toOptOutReason({ body }: Pick<ReceivedMessage, 'body'>): string {
  // A provider may recognize a word without letters.
  return normalizeKeyword(body) || body.trim();
}
