import { ERASED, type Keyword, type ReceivedMessage, normalizeKeyword } from '@switchboard/core';
import type pg from 'pg';
import { formsOf, hashedForms, toFormsValue } from '../../opt-outs/opt-out-forms.ts';
import { defineQuery } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { KEYWORD_EFFECTS, LATE_TAKES_EFFECT, WEBHOOK_DELAY } from './keyword-effects.ts';

// A repeated webhook arrives within 30 s, and the list is read for messages between 30 s and 7 days old.
const APPLY = defineQuery(
  {
    name: 'apply_known_keyword',
    growsWith: ['message_records'],
    text: `
WITH i AS (
  -- The message of a person who was erased since has no number.
  SELECT workspace_id, CASE WHEN "from" = '${ERASED}' THEN :hash::text ELSE "from" END AS "from", created_at,
    :keyword::text AS keyword, CASE WHEN "from" = '${ERASED}' THEN '${ERASED}' ELSE :reason::text END AS opt_out_reason,
    true AS is_late, ${formsOf(':forms::text', '"from"')} AS forms
  FROM message_records
  WHERE workspace_id = :workspaceId::uuid AND direction = 'inbound' AND id = (
      SELECT message_id FROM provider_sids WHERE provider_sid = :providerSid AND vendor_account_id = :vendorAccountId)
    AND created_at BETWEEN now() - interval '7 days' AND now() - ${WEBHOOK_DELAY}
    AND ("from" <> '${ERASED}' OR :hash::text IS NOT NULL)
),
effective AS (SELECT i.* FROM i WHERE ${LATE_TAKES_EFFECT}),
${KEYWORD_EFFECTS}
SELECT count(*) FROM effective`,
  },
  ['workspaceId', 'vendorAccountId', 'providerSid', 'keyword', 'reason', 'forms', 'hash'],
);

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
  const reason = toOptOutReason(message);
  const numberOf = { workspaceId: message.workspaceId, number: message.from };
  const forms = toFormsValue(pool, numberOf);
  const [hash = null] = hashedForms(pool, numberOf);
  await runStatement(pool, APPLY, APPLY.toValues({ ...message, keyword, reason, forms, hash }));
}

export function toOptOutReason({ body }: Pick<ReceivedMessage, 'body'>): string {
  // A provider may recognize a word without letters.
  return normalizeKeyword(body) || body.trim();
}
