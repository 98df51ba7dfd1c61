import { conversationList, conversationsQuery } from '../conversation.ts';
import { freshnessHeaders } from './freshness-headers.ts';
import type { RouteTable } from './route.ts';

export const conversationRoutes = {
  'GET /api/ui/workspaces/{workspaceId}/conversations': {
    tag: 'Messages',
    summary: 'List the numbers one has written with, the latest first',
    description: 'Up to 50 at once, and fewer where a few numbers fill the history.',
    credential: 'session',
    headers: freshnessHeaders,
    query: conversationsQuery,
    answer: { status: 200, schema: conversationList },
  },
} as const satisfies RouteTable;
