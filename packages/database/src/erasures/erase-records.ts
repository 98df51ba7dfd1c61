import { named } from '../named-statement.ts';
import type { Run } from '../run-statement.ts';

/** The copy of an entry of the audit trail for a webhook, as the entry itself is erased. */
const ENTRY_OF_PERSON = `event_type = 'audit_entry.created'
     AND (data ->> 'target' = ANY(:numbers::text[]) OR (data -> 'detail')::text LIKE ANY(:digits::text[]))`;
const ERASED_ENTRY = `data || jsonb_build_object('detail', '{}'::jsonb, 'target',
     CASE WHEN data ->> 'target' = ANY(:numbers::text[]) THEN :erased::text ELSE data ->> 'target' END)`;

/**
 * The tables that may have something of a person, apart from the messages and what belongs to them. Each statement has
 * the parameters `workspaceId`, `before` and `beforeId` (the time of the request, as for messages), `numbers`, `hashes` (what stands for each number), `digits` (patterns of the numbers
 * within texts) and `erased`.
 */
const STATEMENTS = [
  // Changes of contacts hold the first lock, and statements that write opt-outs the last one, in this order.
  `SELECT 1 FROM workspaces WHERE id = :workspaceId::uuid FOR NO KEY UPDATE`,
  `DELETE FROM sent_keyword_replies WHERE workspace_id = :workspaceId::uuid AND number = ANY(:numbers::text[])`,
  `SELECT 1 FROM event_counters WHERE workspace_id = :workspaceId::uuid AND slot = 0 FOR NO KEY UPDATE`,
  `DELETE FROM contacts WHERE workspace_id = :workspaceId::uuid AND created_at < :before::timestamptz
     AND (number = ANY(:numbers::text[]) OR other_numbers && :numbers::text[])`,
  // One that newer messages have started again stays.
  `DELETE FROM conversations c WHERE workspace_id = :workspaceId::uuid AND number = ANY(:numbers::text[]) AND NOT EXISTS (
     SELECT FROM message_records r
     WHERE r.workspace_id = :workspaceId::uuid AND r.counterpart = c.number AND r.id >= :beforeId::uuid)`,
  `DELETE FROM notes WHERE workspace_id = :workspaceId::uuid AND created_at < :before::timestamptz AND number = ANY(:numbers::text[])`,
  `DELETE FROM long_inbound_messages WHERE workspace_id = :workspaceId::uuid AND "from" = ANY(:numbers::text[])`,
  `DELETE FROM unmatched_callbacks WHERE workspace_id = :workspaceId::uuid AND callback::text LIKE ANY(:digits::text[])`,
  `UPDATE provider_problems SET example = :erased
   WHERE workspace_id = :workspaceId::uuid AND example LIKE ANY(:digits::text[])`,
  // Neither the new row nor the old ones are news for webhooks.
  `WITH numbers AS (
     SELECT set_config('switchboard.erasing', statement_timestamp()::text, true), n.number, n.hash
     FROM unnest(:numbers::text[], :hashes::text[]) AS n(number, hash)
   ),
   old AS (
     DELETE FROM opt_outs o USING numbers n
     WHERE o.workspace_id = :workspaceId::uuid AND o.number = n.number
     RETURNING n.hash, o.created_at, o.latest_at, o.is_added
   )
   INSERT INTO opt_outs AS o (workspace_id, number, reason, created_at, latest_at, is_added, is_erased)
   SELECT :workspaceId::uuid, hash, :erased, min(created_at), max(COALESCE(latest_at, created_at)), bool_or(is_added), true
   FROM old GROUP BY hash ORDER BY hash
   ON CONFLICT (workspace_id, number) DO UPDATE SET latest_at = GREATEST(o.latest_at, excluded.latest_at)`,
  `WITH old AS (
     DELETE FROM opt_ins o USING unnest(:numbers::text[], :hashes::text[]) AS n(number, hash)
     WHERE o.workspace_id = :workspaceId::uuid AND o.number = n.number
     RETURNING n.hash, o.opted_in_at
   )
   INSERT INTO opt_ins AS o (workspace_id, number, opted_in_at)
   SELECT :workspaceId::uuid, hash, max(opted_in_at) FROM old GROUP BY hash ORDER BY hash
   ON CONFLICT (workspace_id, number) DO UPDATE SET opted_in_at = GREATEST(o.opted_in_at, excluded.opted_in_at)`,
  `UPDATE webhook_other_events SET data = jsonb_set(data, '{number}', to_jsonb(:erased::text)) - 'reason'
     || jsonb_build_object('reason', :erased::text)
   WHERE workspace_id = :workspaceId::uuid AND data ->> 'number' = ANY(:numbers::text[])`,
  `UPDATE webhook_deliveries SET data = data || jsonb_build_object('number', :erased::text, 'reason', :erased::text),
     attempts = (SELECT COALESCE(jsonb_agg(a || '{"error": null, "response": null}' ORDER BY place), '[]')
       FROM jsonb_array_elements(attempts) WITH ORDINALITY AS t(a, place))
   WHERE workspace_id = :workspaceId::uuid AND data ->> 'number' = ANY(:numbers::text[])`,
  `UPDATE webhook_other_events SET data = ${ERASED_ENTRY}
   WHERE workspace_id = :workspaceId::uuid AND ${ENTRY_OF_PERSON}`,
  `UPDATE webhook_deliveries SET data = ${ERASED_ENTRY},
     attempts = (SELECT COALESCE(jsonb_agg(a || '{"error": null, "response": null}' ORDER BY place), '[]')
       FROM jsonb_array_elements(attempts) WITH ORDINALITY AS t(a, place))
   WHERE workspace_id = :workspaceId::uuid AND ${ENTRY_OF_PERSON}`,
  `UPDATE audit_entries SET detail = '{}', target = CASE WHEN target = ANY(:numbers::text[]) THEN :erased ELSE target END
   WHERE workspace_id = :workspaceId::uuid
     AND (target = ANY(:numbers::text[]) OR detail::text LIKE ANY(:digits::text[]))`,
] as const;

/** Each has the parameter `number`, in texts and values of others. */
const STATEMENTS_BY_NUMBER = [
  // The mentions of a note are at positions of its text.
  `UPDATE notes SET body = replace(body, :number::text, repeat('•', length(:number::text)))
   WHERE workspace_id = :workspaceId::uuid AND created_at < :before::timestamptz AND position(:number::text IN body) > 0`,
  `UPDATE saved_views SET filters = replace(filters::text, :number::text, :erased)::jsonb
   WHERE workspace_id = :workspaceId::uuid AND position(:number::text IN filters::text) > 0`,
] as const;

/** A person in a workspace. */
export interface Person {
  workspaceId: string;
  /** Contacts and notes from this time on stay, as messages from `beforeId` on. */
  before: Date;
  beforeId: string;
  numbers: readonly string[];
  /** What stands for each number where an opt-out must still hold. */
  hashes: readonly string[];
}

/** Removes a person from everything but the messages. Requires a transaction. */
export async function eraseRecords(run: Run, person: Person, erased: string): Promise<void> {
  const digits = person.numbers.map((number) => `%${number.replace('+', '')}%`);
  for (const statement of STATEMENTS) await run(...named(statement, { ...person, digits, erased }));
  for (const number of person.numbers) {
    for (const statement of STATEMENTS_BY_NUMBER) {
      await run(...named(statement, { ...person, number, erased }));
    }
  }
}
