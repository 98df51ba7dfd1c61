import { z } from 'zod';
import { eventFrame, heartbeatFrame, inboxFrame } from '../frames.ts';
import { defineRoute } from './define-route.ts';
import { HEARTBEAT_SECONDS } from '../event-protocol.ts';
import { forKeysAndSessions } from './workspace-paths.ts';

export const eventRoutes = {
  followEvents: defineRoute({
    method: 'GET',
    paths: forKeysAndSessions('/events'),
    scope: 'events:read',
    tag: 'Events',
    summary: 'Follow events over a WebSocket',
    query: z.object({
      cursor: z
        .string()
        .optional()
        .describe('The last cursor received. Every later event follows exactly once')
        .meta({ examples: ['1042'] }),
      heartbeat: z
        .string()
        .optional()
        .describe(
          `The interval of \`HeartbeatFrame\`, in seconds, from ${HEARTBEAT_SECONDS.min} to ${HEARTBEAT_SECONDS.max}. Clients that cannot see pings, such as browsers, detect a dead connection by its absence`,
        )
        .meta({ examples: ['25'] }),
    }),
    response: {
      status: 101,
      schema: z.union([eventFrame, inboxFrame, heartbeatFrame]),
      description:
        'The connection is now a WebSocket; its frames are `EventFrame`, for sessions also `InboxFrame`, and with the parameter `heartbeat` also `HeartbeatFrame`',
    },
    errors: {
      not_found: 'No such route: this URL accepts only WebSocket connections',
      forbidden: 'Insufficient permissions for the resource: the origin of the page is not allowed',
      quota_exceeded: 'The key, the user or the workspace has reached its quota of open sockets',
      service_unavailable: 'This process has reached its maximum number of sockets',
    },
  }),
};
