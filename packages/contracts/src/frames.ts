import { z } from 'zod';
import { message } from './message.ts';

/** The subprotocol the server selects; a browser offers it with `bearer.<token>` after it. */
export const EVENTS_SUBPROTOCOL = 'messaging.v1';

const cursor = z.string();

/** What a WebSocket client receives: `ready` (or `resync`) first, then events. */
export const eventFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), cursor }),
  z.object({ type: z.literal('resync'), cursor }),
  z.object({
    type: z.enum(['message.created', 'message.updated']),
    cursor,
    workspace_id: z.uuid(),
    message,
  }),
]);

export type EventFrame = z.infer<typeof eventFrame>;

/** Why the server closes a socket. */
export const CLOSE_CODES = {
  goingAway: 1001,
  credentialEnded: 4401,
  membershipEnded: 4403,
  tooSlow: 4408,
} as const;
