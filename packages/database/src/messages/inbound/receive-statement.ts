import type { Keyword, ReceivedMessage } from '@switchboard/core';
import { EVENT_ACCOUNT, joinEventAccount } from '../events/event-account.ts';
import { COUNTS_ITSELF, countChanges } from '../events/count-changes.ts';
import { takeEventNumbers } from '../events/take-event-numbers.ts';
import { type Statement, defineRows, defineStatement } from '../../named-statement.ts';
import { formsOf, hasOptedOut } from '../../opt-outs/opt-out-forms.ts';
import { ADD_TO_CHUNKS } from '../search-index/add-to-chunks.ts';
import { toOptOutReason } from './apply-known-keyword.ts';
import { KEYWORD_EFFECTS, LATE_TAKES_EFFECT } from './keyword-effects.ts';
import { ASKED_COLUMNS } from '../rows/asked-columns.ts';
import { LIVE_WORKSPACE } from '../rows/live-workspace-column.ts';
import { MOVING, NO_STATE } from '../rows/moving-columns.ts';
import type { KeywordReply } from './read-keyword-reply.ts';

/** A message to store, with what its text means. */
export interface ReceiveInput extends ReceivedMessage {
  keyword: Keyword | null;
  reply: KeywordReply | null;
  ownWord: string | null;
  isSuspected: boolean;
  /** As `toFormsValue` returns them. */
  forms: string | null;
}

export interface ReceivedRow {
  id: string;
  /** Not stored: the text is this keyword of the workspace's own, which is stored by itself. */
  ownKeyword: Keyword | null;
  seq: number;
  replyId: string | null;
  replySeq: number | null;
  isReplyWithheld: boolean;
}

// One statement stores the message, the opt-out or opt-in and the reply. A transaction over several
// round trips would keep the workspace's counter row locked if this process were suspended.
//
// The provider repeats a webhook that got no response. The identifier is unique, and only a new row has
// effects. Locks are taken in the order sent_keyword_replies, messages, the counters of events,
// opt_out_locks, opt_outs, opt_ins, conversations; apply_changes takes them in that order too.
const MESSAGES = defineRows<ReceiveInput>('i', {
  ...ASKED_COLUMNS,
  provider_id: ['uuid', (m) => m.providerId],
  vendor_account_id: ['text', (m) => m.vendorAccountId],
  provider_sid: ['text', (m) => m.providerSid],
  keyword: ['text', (m) => m.keyword],
  opt_out_reason: ['text', (m) => (m.keyword === 'opt_out' ? toOptOutReason(m) : null)],
  reply_id: ['uuid', (m) => m.reply?.id ?? null],
  reply_body: ['text', (m) => m.reply?.body ?? null],
  reply_segments: ['int', (m) => m.reply?.segments ?? null],
  reply_encoding: ['message_encoding', (m) => m.reply?.encoding ?? null],
  is_late: ['boolean', (m) => m.isLate],
  own_word: ['text', (m) => m.ownWord],
  is_suspected: ['boolean', (m) => (m.isSuspected ? true : null)],
  form_texts: ['text', (m) => m.forms],
  ...LIVE_WORKSPACE,
});

const VALUES = ['lockTimeoutMs', 'numbering', 'hintGraceMs', 'repliesPerHour'] as const;

export const RECEIVE: Statement<ReceiveInput, (typeof VALUES)[number]> = defineStatement(
  {
    name: 'receive_messages',
    text: `
WITH input AS (
  SELECT i.*, ${formsOf('i.form_texts', 'i."from"')} AS forms, CASE WHEN i.own_word IS NOT NULL THEN (
      SELECT w.own_keywords ->> i.own_word FROM workspaces w WHERE w.id = i.workspace_id
    ) END AS own_keyword
  FROM (
    SELECT set_config('lock_timeout', :lockTimeoutMs::text, true), ${COUNTS_ITSELF}) AS limits,
    ${MESSAGES.unnest}
),
-- The identifier makes a message stored once.
identified AS (
  INSERT INTO provider_sids (provider_sid, vendor_account_id, workspace_id, message_id, direction)
  SELECT provider_sid, vendor_account_id, workspace_id, id, 'inbound' FROM input
  WHERE own_keyword IS NULL
  -- In the same order everywhere, so that two batches never wait for each other.
  ORDER BY vendor_account_id, provider_sid
  ON CONFLICT DO NOTHING
  RETURNING message_id
),
stored AS (
  INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, media, segments, status,
    provider_status, created_at, updated_at, provider_id, vendor_account_id, provider_sid, dispatch,
    request_id, trace_parent)
  SELECT i.id, i.workspace_id, 'inbound', i."to", i."from", i.body, COALESCE(i.media, '[]'), i.segments,
    'received', 'received', i.created_at, i.created_at, i.provider_id, i.vendor_account_id, i.provider_sid, 'accepted',
    i.request_id, i.trace_parent
  FROM identified JOIN input i ON i.id = identified.message_id
  RETURNING id, workspace_id, status, "from", provider_id, provider_sid, created_at
),
${ADD_TO_CHUNKS},
-- The keywords that take effect: those of webhooks, and late ones that nothing later contradicts.
effective AS (
  SELECT i.* FROM stored s JOIN input i ON i.id = s.id
  WHERE i.keyword IS NOT NULL AND (NOT i.is_late OR ${LATE_TAKES_EFFECT})
),
-- The replies to keywords: STOP is confirmed once, and START only to a number that has opted out.
wanted AS (
  SELECT i.* FROM effective i
  WHERE i.reply_id IS NOT NULL AND CASE i.keyword WHEN 'help' THEN true ELSE
    (i.keyword = 'opt_in') = COALESCE(
      ${hasOptedOut('i.workspace_id', 'i.forms')}, false) END
),
-- The rules of sending apply to a reply, except for the opt-out, and so do its own limits: an attacker
-- can't cause costs with many HELP messages.
allowed AS (
  INSERT INTO sent_keyword_replies AS r (workspace_id, number, keyword, replied_at)
  SELECT w.workspace_id, w."from", w.keyword, now()
  FROM wanted w
    JOIN provider_accounts p ON p.workspace_id = w.workspace_id AND p.is_default
  WHERE COALESCE((
    SELECT true FROM phone_numbers n
    WHERE n.workspace_id = w.workspace_id AND n.number = w."to" LIMIT 1
  ), (
    SELECT true FROM phone_numbers n
    WHERE n.workspace_id = w.live_workspace_id AND n.number = w."to" LIMIT 1
  )) AND (:repliesPerHour::int IS NULL OR (
    SELECT count(*) FROM sent_keyword_replies h
    WHERE h.workspace_id = w.workspace_id AND h.replied_at > now() - interval '1 hour'
  ) < :repliesPerHour::int)
  ON CONFLICT (workspace_id, number, keyword) DO UPDATE SET replied_at = excluded.replied_at
    WHERE r.replied_at <= now() - interval '1 hour'
  RETURNING workspace_id, number, keyword
),
forgotten AS (
  DELETE FROM sent_keyword_replies r USING (
    SELECT o.workspace_id, o.number, o.keyword
    FROM allowed a JOIN sent_keyword_replies o ON o.workspace_id = a.workspace_id
    WHERE o.replied_at < now() - interval '1 day' AND o.number <> a.number
    LIMIT 10 FOR UPDATE OF o SKIP LOCKED
  ) AS old
  WHERE r.workspace_id = old.workspace_id AND r.number = old.number AND r.keyword = old.keyword
),
answered AS (
  SELECT w.*, row_number() OVER (PARTITION BY w.workspace_id ORDER BY w.reply_id) AS place
  FROM wanted w JOIN allowed a
    ON a.workspace_id = w.workspace_id AND a.number = w."from" AND a.keyword = w.keyword
),
-- In each workspace, the events of the replies follow those of the received messages.
totals AS (
  SELECT workspace_id, count(*) AS n, count(*) FILTER (WHERE is_received) AS received
  FROM (
    SELECT workspace_id, true AS is_received FROM stored
    UNION ALL SELECT workspace_id, false FROM answered
  ) made
  GROUP BY workspace_id
),
${takeEventNumbers(':numbering')},
replies AS (
  SELECT w.*, c.last_seq - t.n + t.received + w.place AS last_event
  FROM answered w JOIN totals t USING (workspace_id) JOIN counters c USING (workspace_id)
),
reply_records AS (
  INSERT INTO message_records (id, workspace_id, direction, "to", body, media, segments, created_at, request_id,
    ignores_opt_out, trace_parent, sent_by, sent_by_id, encoding, ${MOVING})
  SELECT reply_id, workspace_id, 'outbound', "from", reply_body, '[]', reply_segments, created_at, request_id,
    true, trace_parent, (keyword || '_reply')::sender_kind, id, reply_encoding, ${NO_STATE}
  FROM replies
),
reply_progress AS (
  INSERT INTO message_progress (id, workspace_id, "to", "from", sent_by_id, status, dispatch, updated_at, due_at, last_event)
  SELECT reply_id, workspace_id, "from", "to", id, 'queued', 'ready', created_at,
    now() + :hintGraceMs::int * interval '1 millisecond', last_event
  FROM replies
),
${KEYWORD_EFFECTS},
suspected AS (
  INSERT INTO conversations (workspace_id, number, opt_out_suspected, updated_at)
  SELECT DISTINCT i.workspace_id, i."from", true, now()
  FROM stored s JOIN input i ON i.id = s.id
  WHERE i.is_suspected
  ORDER BY i.workspace_id, i."from"
  ON CONFLICT (workspace_id, number) DO UPDATE SET opt_out_suspected = true
),
events AS (
  INSERT INTO message_events (workspace_id, seq, message_id, message_version, type, at, visible,
    status, "from", provider_sid, provider_id, provider_type)
  SELECT m.workspace_id,
    c.last_seq - t.n + row_number() OVER (PARTITION BY m.workspace_id ORDER BY m.id),
    m.id, 0, 'received'::event_type, m.created_at, true, m.status, m."from", m.provider_sid,
    ${EVENT_ACCOUNT}
  FROM stored m JOIN totals t USING (workspace_id) JOIN counters c USING (workspace_id)
    ${joinEventAccount('m')}
  UNION ALL
  SELECT workspace_id, last_event, reply_id, 0, 'created'::event_type, created_at, true, 'queued', "to", NULL,
    NULL, NULL
  FROM replies
  RETURNING message_id, seq
),
${countChanges(
  ':numbering',
  `SELECT workspace_id, id, 'inbound'::direction AS direction, status, 1 AS change FROM stored JOIN counters USING (workspace_id)
   UNION ALL SELECT workspace_id, reply_id, 'outbound', 'queued', 1 FROM replies`,
)}
SELECT s.id, NULL AS "ownKeyword", e.seq, r.reply_id AS "replyId", r.last_event AS "replySeq",
  w.id IS NOT NULL AND r.id IS NULL AS "isReplyWithheld"
FROM stored s JOIN events e ON e.message_id = s.id
  LEFT JOIN wanted w ON w.id = s.id
  LEFT JOIN replies r ON r.id = s.id
UNION ALL
SELECT id, own_keyword, NULL, NULL, NULL, false FROM input WHERE own_keyword IS NOT NULL`,
  },
  {
    rows: MESSAGES,
    values: VALUES,
  },
);
