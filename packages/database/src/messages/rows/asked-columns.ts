import type { Columns } from '../../named-statement.ts';
import type { MediaItem } from './stored-message.ts';

interface Asked {
  id: string;
  createdAt: Date;
  workspaceId: string;
  to: string;
  from: string | null;
  body: string;
  media: readonly MediaItem[];
  segments: number;
  requestId: string | null;
  traceParent?: string | null;
}

/** What is stored of every new message, sent or received. */
export const ASKED_COLUMNS = {
  id: ['uuid', (m) => m.id],
  created_at: ['timestamptz', (m) => m.createdAt],
  workspace_id: ['uuid', (m) => m.workspaceId],
  to: ['text', (m) => m.to],
  from: ['text', (m) => m.from],
  body: ['text', (m) => m.body],
  media: ['jsonb', (m) => (m.media.length === 0 ? null : JSON.stringify(m.media))],
  segments: ['int', (m) => m.segments],
  request_id: ['text', (m) => m.requestId],
  trace_parent: ['text', (m) => m.traceParent ?? null],
} satisfies Columns<Asked>;
