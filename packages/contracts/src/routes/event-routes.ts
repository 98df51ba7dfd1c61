import { z } from 'zod';
import { eventFrame } from '../frames.ts';
import { defineRoute } from './define-route.ts';

export const followEvents = defineRoute({
  method: 'GET',
  paths: { api_key: '/api/events', session: '/api/ui/workspaces/{workspaceId}/events' },
  tag: 'Events',
  summary: 'Follow events over a WebSocket',
  description:
    'Frames are JSON (`EventFrame`): `ready` first, then one for each change. A browser sends its ' +
    'credential as the second of two subprotocols: `messaging.v1, bearer.<token>`. The server ' +
    'pings every 30 seconds and closes with 4401 (session or key ended), 4403 (membership ended), ' +
    '4408 (client reads too slowly) or 1001 (server shuts down).',
  query: z.object({
    cursor: z
      .string()
      .optional()
      .describe('The last cursor received. Every later event follows, none missing and none twice')
      .meta({ examples: ['1042'] }),
  }),
  answer: {
    status: 101,
    schema: eventFrame,
    description: 'The connection is now a WebSocket; its frames are `EventFrame`',
  },
  errors: {
    not_found: 'No such route: this URL accepts only WebSocket connections',
    forbidden: 'Insufficient permissions for the resource: the origin of the page is not allowed',
    quota_exceeded: 'The key, the user or the workspace has reached its quota of open sockets',
    service_unavailable: 'This process has reached its maximum number of sockets',
  },
});
