import type { Attachment } from '../media/attachment.ts';

/** The values of the composer's fields. */
export interface ComposeDraft {
  to: string;
  from: string;
  body: string;
  /** The URLs from which the provider fetches media. */
  mediaUrls: string[];
  /** Uploaded files. */
  attachments: readonly Attachment[];
  /** Local time, as `toLocalTime` formats it. Empty means now. */
  scheduledAt: string;
}

export const EMPTY_DRAFT: ComposeDraft = {
  to: '',
  from: '',
  body: '',
  mediaUrls: [],
  attachments: [],
  scheduledAt: '',
};

export const composeDraftName = (workspaceId: string): string => `compose.${workspaceId}`;

/** Drafts are values: a text that was typed and deleted again leaves the same draft. */
export const isSameDraft = (a: ComposeDraft, b: ComposeDraft): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

export function isEmptyDraft({ mediaUrls, attachments, ...texts }: ComposeDraft): boolean {
  const hasMedia = attachments.length > 0 || mediaUrls.some((url) => url !== '');
  return !hasMedia && Object.values(texts).every((text) => text === '');
}
