import { columnsOf } from '../array-parameter.ts';
import { countMessages, takeEventNumbers } from '../message-events/take-event-numbers.ts';
import { formsOf, hasOptedOut, toFormsValue } from '../opt-outs/opt-out-forms.ts';
import type { Prepared, Run } from '../run-statement.ts';
import type { MediaItem, MessageSender } from './stored-message.ts';

export interface AcceptedMessage {
  /** UUIDv7. Its time becomes `created_at`. */
  id: string;
  createdAt: Date;
  workspaceId: string;
  to: string;
  /** Null selects the workspace's default number, if the rules apply and there is one. */
  from: string | null;
  body: string;
  media: readonly MediaItem[];
  segments: number;
  scheduledAt: Date | null;
  requestId: string;
  /**
   * The API key of the request. It must still be valid in the workspace when the message is stored.
   * Default: none.
   */
  apiKeyId?: string | null;
  /** The sender, if it is not an API key. Default: none. */
  sentBy?: MessageSender | null;
  /** The first message, if this one repeats it. Default: none. */
  repeatOf?: string | null;
  /** Whether the rules of sending are checked when the message is stored. Default: false. */
  isHeldToRules?: boolean;
  /** The trace of the request, as a W3C `traceparent`. Default: none. */
  traceParent?: string | null;
  idempotency: {
    key: string;
    fingerprint: Buffer;
    /** The response for later requests with the key; null while it is not known. */
    response: object | null;
  } | null;
}

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
  | { id: string; seq: number; refusal: null }
  | { id: string; seq: null; refusal: Refusal };

/** The parts of the statement that only batches with a repeat need. */
interface RepeatParts {
  value: string;
  column: string;
  stored: string;
  selected: string;
}

const textOf = (repeat: RepeatParts): string => `
WITH input AS (
  SELECT t.* FROM (
    SELECT set_config('lock_timeout', $20::text, true), ${countMessages('$21')}) AS limits, unnest(
    $1::uuid[], $2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::jsonb[],
    $8::int[], $9::timestamptz[], $10::text[], $11::text[], $12::bytea[], $13::jsonb[],
    $15::bool[], $16::text[], $17::uuid[], $18::sender_kind[], $19::uuid[], $22::text[]${repeat.value}
  ) AS t(id, created_at, workspace_id, "to", "from", body, media, segments, scheduled_at,
         request_id, key, fingerprint, response, is_held_to_rules, trace_parent, api_key_id,
         sent_by, sent_by_id, forms${repeat.column})
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
      WHEN i.api_key_id IS NOT NULL AND k.id IS NULL THEN 'key_ended'
      WHEN is_held_to_rules IS NOT TRUE THEN NULL
      WHEN p.workspace_id IS NULL THEN 'provider_not_configured'
      WHEN i."from" IS NOT NULL AND (
        SELECT true FROM phone_numbers o
        WHERE o.workspace_id = i.workspace_id AND o.number = i."from" LIMIT 1
      ) IS NULL THEN 'foreign_sender'
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
totals AS (SELECT workspace_id, count(*) AS n FROM chosen GROUP BY workspace_id),
${takeEventNumbers('$21')},
stored AS (
  INSERT INTO messages (id, workspace_id, direction, "to", "from", body, media, segments, status,
    created_at, updated_at, scheduled_at, dispatch, not_before, due_at, request_id,
    trace_parent, sent_by, sent_by_id, sent_by_name, last_event${repeat.stored})
  SELECT i.id, i.workspace_id, 'outbound', i."to", i.sender, i.body,
    COALESCE(i.media, '[]'), i.segments,
    (CASE WHEN i.scheduled_at IS NULL THEN 'queued' ELSE 'scheduled' END)::message_status,
    i.created_at, i.created_at, i.scheduled_at, 'ready', i.scheduled_at,
    COALESCE(i.scheduled_at, now() + $14::int * interval '1 millisecond'), i.request_id,
    i.trace_parent,
    CASE WHEN i.api_key_id IS NULL THEN i.sent_by ELSE 'api_key' END,
    COALESCE(i.api_key_id, i.sent_by_id), i.sent_by_name, c.last_seq - t.n + i.place${repeat.selected}
  FROM chosen i JOIN totals t USING (workspace_id) JOIN counters c USING (workspace_id)
  RETURNING id, workspace_id, status, "from", created_at, last_event
),
events AS (
  INSERT INTO message_events (workspace_id, seq, message_id, message_version, type, at, visible,
    status, "from")
  SELECT workspace_id, last_event, id, 0,
    (CASE WHEN status = 'scheduled' THEN 'scheduled' ELSE 'created' END)::event_type,
    created_at, true, status, "from"
  FROM stored
)
SELECT id, last_event AS seq, NULL AS refusal FROM stored
UNION ALL SELECT id, NULL, refusal FROM ruled WHERE refusal IS NOT NULL`;

const ACCEPT: Prepared = {
  name: 'accept_messages',
  text: textOf({ value: '', column: '', stored: '', selected: '' }),
};

// Repeats are rare, so that other batches do not pay for one more column.
const ACCEPT_WITH_REPEATS: Prepared = {
  name: 'accept_messages_with_repeats',
  text: textOf({
    value: ', $23::uuid[]',
    column: ', repeat_of',
    stored: ', repeat_of',
    selected: ', i.repeat_of',
  }),
};

export interface StoreOptions {
  hintGraceMs: number;
  /** The timeout of each lock that the statement waits for. */
  lockTimeoutMs: number;
  /** Where this process numbers events. */
  numbering: number;
}

export async function insertMessages(
  run: Run,
  messages: readonly AcceptedMessage[],
  { hintGraceMs, lockTimeoutMs, numbering }: StoreOptions,
): Promise<AcceptResult[]> {
  const column = columnsOf(messages);
  const repeats = column((m) => m.repeatOf ?? null);
  const statement = repeats === null ? ACCEPT : ACCEPT_WITH_REPEATS;
  const rows = await run<AcceptedRow>(statement, [
    column((m) => m.id),
    column((m) => m.createdAt),
    column((m) => m.workspaceId),
    column((m) => m.to),
    column((m) => m.from),
    column((m) => m.body),
    column((m) => (m.media.length === 0 ? null : JSON.stringify(m.media))),
    column((m) => m.segments),
    column((m) => m.scheduledAt),
    column((m) => m.requestId),
    column((m) => m.idempotency?.key ?? null),
    column((m) => m.idempotency?.fingerprint ?? null),
    column((m) =>
      m.idempotency?.response == null ? null : JSON.stringify(m.idempotency.response),
    ),
    hintGraceMs,
    column((m) => (m.isHeldToRules === true ? true : null)),
    column((m) => m.traceParent ?? null),
    column((m) => m.apiKeyId ?? null),
    column((m) => m.sentBy?.kind ?? null),
    column((m) => m.sentBy?.id ?? null),
    String(lockTimeoutMs),
    numbering,
    column((m) => toFormsValue(m.to)),
    ...(repeats === null ? [] : [repeats]),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return messages.map(({ id }) => {
    const row = byId.get(id);
    if (row === undefined) return { kind: 'key_taken' };
    return row.refusal === null
      ? { kind: 'stored', seq: row.seq }
      : { kind: 'refused', refusal: row.refusal };
  });
}
