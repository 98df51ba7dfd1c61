/** A message in the composer. */
export interface ComposeDraft {
  to: string;
  from: string;
  body: string;
  mediaUrls: string[];
  /** The reader's local time, as a date-time input has it; empty means now. */
  scheduledAt: string;
}

export const EMPTY_DRAFT: ComposeDraft = {
  to: '',
  from: '',
  body: '',
  mediaUrls: [],
  scheduledAt: '',
};

export const composeDraftName = (workspaceId: string): string => `compose ${workspaceId}`;

export function isEmptyDraft({ to, body, mediaUrls }: ComposeDraft): boolean {
  return to === '' && body === '' && mediaUrls.every((url) => url === '');
}
