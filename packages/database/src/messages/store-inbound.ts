import type pg from 'pg';
import { runStatement } from '../sql-error.ts';
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
}

// The provider repeats a webhook whose answer it did not get: the identifier makes it one row, and
// only the row that is new makes an event.
const SQL = `
WITH stored AS (
  INSERT INTO messages (id, workspace_id, direction, "to", "from", body, media, segments, status,
    provider_status, created_at, updated_at, provider_account, provider_sid, dispatch, request_id)
  VALUES ($1::uuid, $2::uuid, 'inbound', $3, $4, $5, $6::jsonb, $7::int, 'received',
    'received', $8::timestamptz, $8::timestamptz, $9, $10, 'accepted', $11)
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

/** Stores a received message once; null when it is there already, else its event number. */
export async function storeInbound(
  pool: pg.Pool,
  message: ReceivedMessage,
): Promise<{ seq: number } | null> {
  const [row] = await runStatement<{ seq: number }>(pool, SQL, [
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
  ]);
  return row ?? null;
}
