import { z } from 'zod';
import { eventFrame } from '../frames.ts';
import type { RouteTable, SharedRoute } from './route.ts';

const events = {
  tag: 'Events',
  summary: 'Follow events over a WebSocket',
  description:
    'Frames are JSON (`EventFrame`): `ready` first, then one for each change. A browser gives its ' +
    'credential as the second of two subprotocols: `messaging.v1, bearer.<token>`. The server ' +
    'pings every 30 seconds and closes with 4401 (session or key ended), 4403 (membership ended), ' +
    '4408 (too slow a reader) or 1001 (server going away).',
  query: z.object({
    cursor: z
      .string()
      .optional()
      .describe('The last cursor seen: what came after it follows first, nothing missing or twice'),
  }),
  answer: {
    status: 101,
    schema: eventFrame,
    description: 'The connection is a WebSocket from here on; its frames are `EventFrame`',
  },
  errors: {
    not_found: 'The request is not for a WebSocket',
    forbidden: 'The page that asks has a foreign origin',
    quota_exceeded: 'The key, the user or the workspace has as many open sockets as it may',
    service_unavailable: 'The process has as many sockets as it takes',
  },
} satisfies SharedRoute;

export const eventRoutes = {
  'GET /api/events': { ...events, credential: 'api_key' },
  'GET /api/ui/workspaces/{workspaceId}/events': { ...events, credential: 'session' },
} as const satisfies RouteTable;
