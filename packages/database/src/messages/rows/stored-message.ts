import type { Direction, EncodingChoice, Keyword, MessageStatus } from '@switchboard/core';

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
  providerId: string | null;
  providerType: string | null;
  /** Null for inbound messages. */
  senderKind: MessageSender['kind'] | 'api_key' | null;
  senderId: string | null;
  /** The name of the user or the key when it sent the message; null for a keyword reply. */
  senderName: string | null;
  /** The first message, if this one was sent to repeat it. It may have been deleted since. */
  repeatOf: string | null;
  /** What the message is about in the client's system. */
  reference: string | null;
  metadata: Record<string, string> | null;
  /** The choice of the send or else of the workspace; null if nothing was chosen, which is `as_is`. */
  encoding: EncodingChoice | null;
}

/**
 * Returns the select list of a `StoredMessage`, from `messages m` and `STORED_MESSAGE_JOINS`. Plain columns cost half
 * as much as objects that PostgreSQL builds for each row. `state` is the table with the columns that change over time.
 */
export const storedMessageColumns = ({
  state = 'm',
  updatedAt = 'm.updated_at',
  account = 'account.id AS "providerId", account.type AS "providerType"',
} = {}): string => `
  m.id, m.workspace_id AS "workspaceId", m.direction, m."to", ${state}."from", m.body, m.media,
  m.segments, ${state}.status, ${state}.provider_sid AS "providerSid", ${state}.error_code AS "errorCode",
  ${state}.error_detail AS "errorDetail", m.created_at AS "createdAt", ${updatedAt} AS "updatedAt",
  m.scheduled_at AS "scheduledAt", ${state}.sent_at AS "sentAt", ${state}.delivered_at AS "deliveredAt",
  ${account}, m.repeat_of AS "repeatOf", m.reference, m.metadata, m.encoding,
  m.sent_by AS "senderKind", m.sent_by_id AS "senderId", m.sent_by_name AS "senderName"`;

export const STORED_MESSAGE_COLUMNS = storedMessageColumns();

/** Joins `messages m` with the other tables of a `StoredMessage`, at most one row of each. */
export const STORED_MESSAGE_JOINS = `
  LEFT JOIN provider_accounts account
    ON account.workspace_id = m.workspace_id AND account.id = m.provider_id`;
