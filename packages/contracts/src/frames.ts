import { z } from 'zod';
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

export type EventFrame = z.infer<typeof eventFrame>;
