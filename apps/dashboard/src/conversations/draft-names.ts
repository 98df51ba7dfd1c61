import { MENTIONS_PREFIX, TIME_PREFIX } from '../compose/draft-store.ts';

/** The names of the drafts of a conversation. */
export const draftNames = {
  reply: (workspaceId: string, number: string) => `reply.${workspaceId}.${number}`,
  files: (workspaceId: string, number: string) => `reply-files.${workspaceId}.${number}`,
  /** The time of a reply that is sent later. */
  schedule: (workspaceId: string, number: string) => `${TIME_PREFIX}${workspaceId}.${number}`,
  /** The members whom a note mentions. */
  mentions: (workspaceId: string, number: string) => `${MENTIONS_PREFIX}${workspaceId}.${number}`,
  note: (workspaceId: string, number: string) => `note.${workspaceId}.${number}`,
} as const;
