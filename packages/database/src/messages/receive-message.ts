import { type Keyword, countSegments } from '@switchboard/core';
import type pg from 'pg';
import { type Run, runTransaction } from '../sql-error.ts';
import { type AcceptedMessage, insertMessages } from './accept-messages.ts';
import type { MediaItem } from './stored-message.ts';

export interface ReceivedMessage {
  /** UUIDv7; its time becomes `created_at`. */
  id: string;
  createdAt: Date;
  workspaceId: string;
  to: string;
  from: string;
  body: string;
  media: readonly MediaItem[];
  segments: number;
  providerAccount: string;
  providerSid: string;
  requestId: string;
  /** The trace it was received in, in W3C's form. */
  traceParent: string | null;
}

// The provider repeats a webhook whose answer it did not get: the identifier makes it one row, and
// only the row that is new makes an event.
const SQL = `
WITH stored AS (
  INSERT INTO messages (id, workspace_id, direction, "to", "from", body, media, segments, status,
    provider_status, created_at, updated_at, provider_account, provider_sid, dispatch, request_id,
    trace_parent)
  VALUES ($1::uuid, $2::uuid, 'inbound', $3, $4, $5, $6::jsonb, $7::int, 'received',
    'received', $8::timestamptz, $8::timestamptz, $9, $10, 'accepted', $11, $12)
  ON CONFLICT (provider_sid, provider_account) DO NOTHING
  RETURNING id, workspace_id, "from", provider_sid, created_at
),
counter AS (
  INSERT INTO event_counters AS c (workspace_id, last_seq)
  SELECT workspace_id, 1 FROM stored
  ON CONFLICT (workspace_id) DO UPDATE SET last_seq = c.last_seq + 1
  RETURNING last_seq
)
INSERT INTO message_events
  (workspace_id, seq, message_id, type, at, visible, status, "from", provider_sid)
SELECT s.workspace_id, c.last_seq, s.id, 'received', s.created_at, true, 'received', s."from",
  s.provider_sid
FROM stored s CROSS JOIN counter c
RETURNING seq`;

export interface ReceivedKeyword {
  keyword: Keyword;
  /** Null where the provider has answered the keyword itself. */
  reply: KeywordReply | null;
}

interface KeywordReply {
  id: string;
  /** What is said unless the workspace has words of its own. */
  defaultText: string;
}

export interface Received {
  seq: number;
  /** The stored reply to a keyword; null when there is none to give. */
  reply: { id: string; seq: number } | null;
}

const REPLY_COLUMN = {
  opt_out: 'opt_out_reply',
  opt_in: 'opt_in_reply',
  help: 'help_reply',
} as const satisfies Record<Keyword, string>;

/**
 * Stores a received message once, and in the same transaction what its keyword asks for: the
 * opt-out or its end, and the reply. STOP is confirmed once, START only to those it concerns.
 *
 * @returns null when the message is there already
 */
export async function receiveMessage(
  pool: pg.Pool,
  message: ReceivedMessage,
  received: ReceivedKeyword | null,
  hintGraceMs: number,
): Promise<Received | null> {
  return runTransaction(pool, async (run) => {
    const [stored] = await run<{ seq: number }>(SQL, [
      message.id,
      message.workspaceId,
      message.to,
      message.from,
      message.body,
      JSON.stringify(message.media),
      message.segments,
      message.createdAt,
      message.providerAccount,
      message.providerSid,
      message.requestId,
      message.traceParent,
    ]);
    if (stored === undefined) return null;
    const isOwedReply = received !== null && (await applyKeyword(run, message, received.keyword));
    return {
      seq: stored.seq,
      reply: isOwedReply ? await storeReply(run, message, received, hintGraceMs) : null,
    };
  });
}

/** Whether the sender is owed a reply. */
async function applyKeyword(
  run: Run,
  { workspaceId, from, body, createdAt }: ReceivedMessage,
  keyword: Keyword,
): Promise<boolean> {
  switch (keyword) {
    case 'help':
      return true;
    case 'opt_out': {
      const added = await run(
        `INSERT INTO opt_outs (workspace_id, number, reason, created_at)
         VALUES ($1::uuid, $2, $3, $4::timestamptz) ON CONFLICT DO NOTHING RETURNING 1`,
        [workspaceId, from, body.trim().toUpperCase(), createdAt],
      );
      return added.length === 1;
    }
    case 'opt_in': {
      const removed = await run(
        `DELETE FROM opt_outs WHERE workspace_id = $1::uuid AND number = $2 RETURNING 1`,
        [workspaceId, from],
      );
      return removed.length === 1;
    }
  }
}

async function storeReply(
  run: Run,
  message: ReceivedMessage,
  { keyword, reply: wanted }: ReceivedKeyword,
  hintGraceMs: number,
): Promise<Received['reply']> {
  if (wanted === null) return null;
  const { id, defaultText } = wanted;
  const [workspace] = await run<{ text: string | null }>(
    `SELECT ${REPLY_COLUMN[keyword]} AS text FROM workspaces WHERE id = $1::uuid`,
    [message.workspaceId],
  );
  const body = workspace?.text ?? defaultText;
  const reply: AcceptedMessage = {
    id,
    createdAt: message.createdAt,
    workspaceId: message.workspaceId,
    to: message.from,
    from: message.to,
    body,
    media: [],
    segments: countSegments(body).segments,
    scheduledAt: null,
    requestId: message.requestId,
    traceParent: message.traceParent,
    ignoresOptOut: true,
    sentBy: { kind: `${keyword}_reply`, id: message.id },
    idempotency: null,
  };
  const [result] = await insertMessages(run, [reply], hintGraceMs);
  return result?.kind === 'stored' ? { id, seq: result.seq } : null;
}
