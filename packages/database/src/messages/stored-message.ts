import type { Direction, MessageStatus } from '@switchboard/core';

export interface MediaItem {
  url: string;
  content_type: string | null;
}

/** A message as clients may see it. */
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
}

/** The select list of a `StoredMessage`, from `messages m`. */
export const STORED_MESSAGE_COLUMNS = `
  m.id, m.workspace_id AS "workspaceId", m.direction, m."to", m."from", m.body, m.media,
  m.segments, m.status, m.provider_sid AS "providerSid", m.error_code AS "errorCode",
  m.error_detail AS "errorDetail", m.created_at AS "createdAt", m.updated_at AS "updatedAt",
  m.scheduled_at AS "scheduledAt", m.sent_at AS "sentAt", m.delivered_at AS "deliveredAt"`;
