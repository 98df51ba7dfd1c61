import { z } from 'zod';
import { conversation, note } from './conversation.ts';
import { message } from './message.ts';

const cursor = z.string();

/**
 * A frame that a WebSocket client receives: `ready` first, `resync` if its cursor is too old, then
 * events.
 */
export const eventFrame = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('ready'), cursor }),
    z.object({ type: z.literal('resync'), cursor }),
    z.object({
      type: z.enum(['message.created', 'message.updated']),
      cursor,
      workspace_id: z.uuid(),
      message,
    }),
  ])
  .meta({
    id: 'EventFrame',
    description: 'A frame that a WebSocket client receives, as JSON text',
  });

/** Without a cursor: these are not in the log of events, and a reconnected client fetches again. */
export const inboxFrame = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('conversation.updated'),
      workspace_id: z.uuid(),
      conversation,
    }),
    z.object({ type: z.literal('note.created'), workspace_id: z.uuid(), note }),
  ])
  .meta({
    id: 'InboxFrame',
    description:
      'A further frame that sessions receive, with the current state. It has no cursor and is not repeated ' +
      'after a reconnect',
  });

export type EventFrame = z.infer<typeof eventFrame>;
export type InboxFrame = z.infer<typeof inboxFrame>;
