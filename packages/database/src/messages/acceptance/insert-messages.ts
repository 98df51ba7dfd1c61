import { secretWorks } from '../../api-keys/find-active-keys.ts';
import { COUNTS_ITSELF, countChanges } from '../events/count-changes.ts';
import { takeEventNumbers } from '../events/take-event-numbers.ts';
import { formsOf, hasOptedOut } from '../../opt-outs/opt-out-forms.ts';
import {
  type Columns,
  type InputRows,
  defineRows,
  defineStatement,
} from '../../named-statement.ts';
import type { Run } from '../../run-statement.ts';
import { ASKED_COLUMNS } from '../rows/asked-columns.ts';
import type { WrittenEvent } from '../events/read-events.ts';
import { toCreatedEvent } from './created-event.ts';
import { LIVE_WORKSPACE } from '../rows/live-workspace-column.ts';
import { MOVING, NO_STATE } from '../rows/moving-columns.ts';
import type { EncodedMessage } from './encode-text.ts';

export type AcceptResult =
  /** Stored, with its event number in the workspace. */
  | { kind: 'stored'; seq: number }
  /** Another request has used the Idempotency-Key. Nothing was stored. */
  | { kind: 'key_taken' }
  /** A rule of sending forbids it. Nothing was stored, and the Idempotency-Key is still free. */
  | { kind: 'refused'; refusal: Refusal };

/** In the order in which the rules are checked. */
export type Refusal =
  | 'key_ended'
  | 'provider_not_configured'
  /** The given sender is not a number of the workspace. */
  | 'foreign_sender'
  /** No sender was given, and there is neither a default number nor a messaging service. */
  | 'no_sender'
  | 'recipient_opted_out';

type AcceptedRow =
  | {
      id: string;
      seq: number;
      refusal: null;
      sender: string | null;
      senderName: string | null;
      /** Whether the send prefers GSM-7 or, if it does not choose, the workspace. */
      isPreferred: boolean;
    }
  | { id: string; seq: null; refusal: Refusal };

/** `forms`: as `toFormsValue` returns them. */
type Input = EncodedMessage & { forms: string | null };

const COLUMNS = {
  ...ASKED_COLUMNS,
  body: ['text', (m) => m.body],
  segments: ['int', (m) => m.segments],
  scheduled_at: ['timestamptz', (m) => m.scheduledAt],
  key: ['text', (m) => m.idempotency?.key ?? null],
  fingerprint: ['bytea', (m) => m.idempotency?.fingerprint ?? null],
  response: [
    'jsonb',
    (m) => (m.idempotency?.response == null ? null : JSON.stringify(m.idempotency.response)),
  ],
  is_held_to_rules: ['bool', (m) => (m.isHeldToRules === true ? true : null)],
  api_key_id: ['uuid', (m) => m.apiKeyId ?? null],
  api_key_version: ['int', (m) => m.apiKeyVersion ?? null],
  sent_by: ['sender_kind', (m) => m.sentBy?.kind ?? null],
  sent_by_id: ['uuid', (m) => m.sentBy?.id ?? null],
  ...LIVE_WORKSPACE,
  forms: ['text', (m) => m.forms],
} satisfies Columns<Input>;

const MESSAGES = defineRows<Input>('i', COLUMNS);
/** What most messages have none of. */
const FURTHER = {
  repeat_of: ['uuid', (m) => m.repeatOf ?? null],
  reference: ['text', (m) => m.reference ?? null],
  metadata: ['json', (m) => (m.metadata == null ? null : JSON.stringify(m.metadata))],
  encoding: ['message_encoding', (m) => m.encoding ?? null],
  preferred_body: ['text', (m) => m.preferred?.body ?? null],
  preferred_segments: ['int', (m) => m.preferred?.segments ?? null],
} satisfies Columns<Input>;
const MESSAGES_WITH_FURTHER = defineRows<Input>('i', { ...COLUMNS, ...FURTHER });
const hasFurther = (message: Input): boolean =>
  Object.values(FURTHER).some(([, read]) => read(message) !== null);

/** The parts of the statement that depend on whether the rows have these columns. */
const PLAIN_PARTS = {
  encoding: 't.encoding',
  body: 'body',
  segments: 'segments',
  columns: '',
  values: '',
};
const FURTHER_PARTS: typeof PLAIN_PARTS = {
  encoding: 'COALESCE(i.encoding, t.encoding)',
  body: 'CASE WHEN is_preferred THEN COALESCE(preferred_body, body) ELSE body END',
  segments: 'CASE WHEN is_preferred THEN COALESCE(preferred_segments, segments) ELSE segments END',
  columns: ', repeat_of, reference, metadata',
  values: ', repeat_of, reference, metadata',
};

const define = (name: string, rows: InputRows<Input>, parts: typeof PLAIN_PARTS) =>
  defineStatement(
    {
      name,
      text: `
WITH input AS (
  SELECT i.* FROM (
    SELECT set_config('lock_timeout', :lockTimeoutMs::text, true), ${COUNTS_ITSELF}) AS limits,
    ${rows.unnest}
),
-- The rules are checked in the snapshot that stores, so nothing changes in between. EXISTS is avoided, as in
-- hasOptedOut.
ruled AS (
  SELECT i.*, CASE
      -- Routing rules select the sender of a message that has none.
      WHEN is_held_to_rules AND p.is_routed IS NOT TRUE THEN COALESCE(i."from", n.number)
      ELSE i."from" END AS sender,
    CASE WHEN i.api_key_id IS NOT NULL THEN k.name WHEN i.sent_by = 'user' THEN (
      SELECT u.name FROM users u WHERE u.id = i.sent_by_id) END AS sent_by_name,
    CASE
      WHEN i.api_key_id IS NOT NULL AND (k.id IS NULL OR NOT ${secretWorks('i.api_key_version')}) THEN 'key_ended'
      WHEN is_held_to_rules IS NOT TRUE THEN NULL
      WHEN p.workspace_id IS NULL THEN 'provider_not_configured'
      WHEN i."from" IS NOT NULL AND (
        SELECT true FROM phone_numbers o
        WHERE o.workspace_id = i.workspace_id AND o.number = i."from" LIMIT 1
      ) IS NULL AND (i.live_workspace_id IS NULL OR (
        SELECT true FROM phone_numbers o
        WHERE o.workspace_id = i.live_workspace_id AND o.number = i."from" LIMIT 1
      ) IS NULL) THEN 'foreign_sender'
      WHEN COALESCE(i."from", n.number, p.sender_pool) IS NULL THEN 'no_sender'
      WHEN ${hasOptedOut('i.workspace_id', formsOf('i.forms', 'i."to"'))} THEN 'recipient_opted_out'
    END AS refusal
  FROM input i
  LEFT JOIN api_keys k
    ON k.id = i.api_key_id AND k.workspace_id = i.workspace_id AND k.revoked_at IS NULL
  LEFT JOIN provider_accounts p ON p.workspace_id = i.workspace_id AND p.is_default
  LEFT JOIN phone_numbers n ON n.workspace_id = i.workspace_id AND n.is_default
),
keys AS (
  -- In the same order everywhere, so that two batches never wait for each other.
  INSERT INTO idempotency_keys (workspace_id, key, fingerprint, message_id, response, created_at)
  SELECT workspace_id, key, fingerprint, id, response, now() FROM ruled
  WHERE key IS NOT NULL AND refusal IS NULL
  ORDER BY workspace_id, key
  ON CONFLICT DO NOTHING
  RETURNING message_id
),
chosen AS (
  SELECT r.*, row_number() OVER (PARTITION BY workspace_id ORDER BY id) AS place FROM ruled r
  WHERE refusal IS NULL AND (key IS NULL OR id IN (SELECT message_id FROM keys))
),
totals AS (
  SELECT workspace_id, count(*) AS n, (SELECT w.encoding FROM workspaces w WHERE w.id = i.workspace_id)
  FROM chosen i GROUP BY workspace_id
),
${takeEventNumbers(':numbering')},
numbered AS (
  SELECT i.*, c.last_seq - t.n + i.place AS seq,
    (CASE WHEN i.scheduled_at IS NULL THEN 'queued' ELSE 'scheduled' END)::message_status AS status,
    ${parts.encoding} IS NOT DISTINCT FROM 'prefer_gsm7' AS is_preferred
  FROM chosen i JOIN totals t USING (workspace_id) JOIN counters c USING (workspace_id)
),
recorded AS (
  INSERT INTO message_records (id, workspace_id, direction, "to", body, media, segments, created_at, scheduled_at,
    request_id, trace_parent, sent_by, sent_by_id, sent_by_name, encoding${parts.columns}, ${MOVING})
  SELECT id, workspace_id, 'outbound', "to", ${parts.body}, COALESCE(media, '[]'), ${parts.segments}, created_at, scheduled_at,
    request_id, trace_parent, CASE WHEN api_key_id IS NULL THEN sent_by ELSE 'api_key' END,
    COALESCE(api_key_id, sent_by_id), sent_by_name,
    CASE WHEN is_preferred THEN 'prefer_gsm7'::message_encoding END${parts.values}, ${NO_STATE}
  FROM numbered
),
stored AS (
  INSERT INTO message_progress (id, workspace_id, "to", "from", sent_by_id, status, dispatch, updated_at, is_scheduled,
    not_before, due_at, last_event)
  SELECT id, workspace_id, "to", sender, COALESCE(api_key_id, sent_by_id), status, 'ready', created_at, scheduled_at IS NOT NULL, scheduled_at,
    COALESCE(scheduled_at, now() + :hintGraceMs::int * interval '1 millisecond'), seq
  FROM numbered
),
events AS (
  INSERT INTO message_events (workspace_id, seq, message_id, message_version, type, at, visible,
    status, "from")
  SELECT workspace_id, seq, id, 0,
    (CASE WHEN status = 'scheduled' THEN 'scheduled' ELSE 'created' END)::event_type,
    created_at, true, status, sender
  FROM numbered
),
${countChanges(':numbering', `SELECT workspace_id, id, 'outbound'::direction AS direction, status, 1 AS change FROM numbered`)}
SELECT id, seq, NULL AS refusal, sender, sent_by_name AS "senderName", is_preferred AS "isPreferred" FROM numbered
UNION ALL SELECT id, NULL, refusal, NULL, NULL, NULL FROM ruled WHERE refusal IS NOT NULL`,
    },
    { rows, values: ['lockTimeoutMs', 'numbering', 'hintGraceMs'] as const },
  );

const ACCEPT = define('accept_messages', MESSAGES, PLAIN_PARTS);
// So that other batches do not pay for these columns.
const ACCEPT_WITH_FURTHER = define(
  'accept_messages_with_further_columns',
  MESSAGES_WITH_FURTHER,
  FURTHER_PARTS,
);

export interface StoreOptions {
  hintGraceMs: number;
  /** The timeout of each lock that the statement waits for. */
  lockTimeoutMs: number;
  /** Where this process numbers events. */
  numbering: number;
  /** Called with the event of each stored message. Default: none. */
  onEvent?: ((event: WrittenEvent) => void) | undefined;
  /** See `toFormsValue`. */
  toForms(numberOf: { workspaceId: string; number: string }): string | null;
}

export async function insertMessages(
  run: Run,
  messages: readonly EncodedMessage[],
  { hintGraceMs, lockTimeoutMs, numbering, onEvent, toForms }: StoreOptions,
): Promise<AcceptResult[]> {
  const values = { lockTimeoutMs: String(lockTimeoutMs), numbering, hintGraceMs };
  const inputs = messages.map((message) => {
    const { workspaceId, to: number } = message;
    return { ...message, forms: toForms({ workspaceId, number }) };
  });
  const statement = inputs.some(hasFurther) ? ACCEPT_WITH_FURTHER : ACCEPT;
  const rows = await run<AcceptedRow>(statement, statement.toValues(inputs, values));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return inputs.map((message) => {
    const row = byId.get(message.id);
    if (row === undefined) return { kind: 'key_taken' };
    if (row.refusal !== null) return { kind: 'refused', refusal: row.refusal };
    onEvent?.(toCreatedEvent(message, row));
    return { kind: 'stored', seq: row.seq };
  });
}
