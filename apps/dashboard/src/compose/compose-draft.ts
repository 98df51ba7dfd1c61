/** The values of the composer's fields. */
export interface ComposeDraft {
  to: string;
  from: string;
  body: string;
  mediaUrls: string[];
  /** Local time, as the value of a `datetime-local` input. Empty means now. */
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
