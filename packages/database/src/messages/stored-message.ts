import type { Direction, Keyword, MessageStatus } from '@switchboard/core';

export interface MediaItem {
  url: string;
  content_type: string | null;
}

/** The sender of a message, as its row stores it. */
export interface MessageSender {
  kind: 'user' | `${Keyword}_reply`;
  /** The user, or the received message to which a keyword reply responds. */
  id: string;
}

/** A message as clients may read it. */
export interface StoredMessage {
  id: string;
  workspaceId: string;
  direction: Direction;
  to: string;
  from: string | null;
  body: string;
  media: MediaItem[];
  segments: number;
  status: MessageStatus;
  providerSid: string | null;
  errorCode: string | null;
  errorDetail: string | null;
  createdAt: Date;
  updatedAt: Date;
  scheduledAt: Date | null;
  sentAt: Date | null;
  deliveredAt: Date | null;
  /** The account of the latest attempt; null before it, and if the account was removed. */
  provider: { id: string; type: string } | null;
  /** Null for inbound messages, and if the sender was not recorded. */
  sentBy: {
    type: 'user' | 'api_key' | 'keyword_reply';
    id: string;
    /** The current name, or the keyword of a reply. Null if the user was deleted. */
    name: string | null;
  } | null;
  /** The first message, if this one was sent to repeat it. It may have been deleted since. */
  repeatOf: string | null;
}

/** The select list of a `StoredMessage`, from `messages m`. */
export const STORED_MESSAGE_COLUMNS = `
  m.id, m.workspace_id AS "workspaceId", m.direction, m."to", m."from", m.body, m.media,
  m.segments, m.status, m.provider_sid AS "providerSid", m.error_code AS "errorCode",
  m.error_detail AS "errorDetail", m.created_at AS "createdAt", m.updated_at AS "updatedAt",
  m.scheduled_at AS "scheduledAt", m.sent_at AS "sentAt", m.delivered_at AS "deliveredAt",
  (SELECT json_build_object('id', p.id, 'type', p.type) FROM provider_accounts p
    WHERE p.workspace_id = m.workspace_id AND p.account_sid = m.provider_account LIMIT 1) AS provider,
  m.repeat_of AS "repeatOf",
  CASE m.sent_by
    WHEN 'user' THEN json_build_object('type', 'user', 'id', m.sent_by_id,
      'name', (SELECT u.name FROM users u WHERE u.id = m.sent_by_id))
    WHEN 'api_key' THEN json_build_object('type', 'api_key', 'id', m.sent_by_id,
      'name', (SELECT k.name FROM api_keys k WHERE k.id = m.sent_by_id))
    WHEN 'opt_out_reply' THEN ${keywordReply('STOP')}
    WHEN 'opt_in_reply' THEN ${keywordReply('START')}
    WHEN 'help_reply' THEN ${keywordReply('HELP')}
  END AS "sentBy"`;

function keywordReply(name: string): string {
  return `json_build_object('type', 'keyword_reply', 'id', m.sent_by_id, 'name', '${name}')`;
}
