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

/**
 * These frames have no cursor, because the event log does not contain them. A client that
 * reconnects fetches the current state.
 */
export const inboxFrame = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('conversation.updated'),
      workspace_id: z.uuid(),
      conversation,
      assigned_by: z
        .uuid()
        .nullable()
        .describe('The user who has just assigned the conversation; null after other changes'),
    }),
    z.object({
      type: z.enum(['note.created', 'note.updated']),
      workspace_id: z.uuid(),
      note,
      newly_mentioned: z
        .array(z.uuid())
        .optional()
        .describe(
          'The ids of the members whom this change mentions and the note did not mention before; absent without any',
        ),
    }),
    z.object({
      type: z.literal('conversation.typing'),
      workspace_id: z.uuid(),
      number: z.string(),
      user: z.object({ id: z.uuid(), name: z.string() }),
      expires_in_seconds: z
        .number()
        .describe(
          'How long to show that the user is typing, unless a later frame says otherwise; 0 if the user has stopped',
        ),
    }),
  ])
  .meta({
    id: 'InboxFrame',
    description:
      'An additional frame that sessions receive, with the current state. It has no cursor and is not repeated ' +
      'after a reconnect',
  });

/** Sent to clients that ask for it, so that one that cannot see pings, such as a browser, detects a dead connection. */
export const heartbeatFrame = z.object({ type: z.literal('heartbeat') }).meta({
  id: 'HeartbeatFrame',
  description: 'A frame that only clients with the parameter `heartbeat` receive. It has no cursor',
});

/** Longer frames from clients are ignored. */
export const CLIENT_FRAME_MAX_BYTES = 512;

/** A frame that a session may send, as JSON text. It describes the state of the client. */
export const clientFrame = z.object({
  type: z.literal('conversation.viewing'),
  /** The conversation that the user has open; null if none is open. */
  number: z.string().max(64).nullable(),
  /** Whether the user is typing a reply to it. */
  typing: z.boolean(),
});

export type ClientFrame = z.infer<typeof clientFrame>;
export type EventFrame = z.infer<typeof eventFrame>;
export type HeartbeatFrame = z.infer<typeof heartbeatFrame>;
export type InboxFrame = z.infer<typeof inboxFrame>;
