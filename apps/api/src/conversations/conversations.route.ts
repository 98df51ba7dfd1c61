import {
  type ConversationList,
  type RawQuery,
  parseConversationsQuery,
} from '@switchboard/contracts';
import type { ListConversations } from '@switchboard/database';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { Credentials } from '../http/credentials.ts';
import { toMessage } from '../wire/to-message.ts';

export interface ConversationsRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  listConversations: ListConversations;
}

export function registerConversationsRoute(
  app: FastifyInstance,
  { credentials, requireMember, listConversations }: ConversationsRouteDependencies,
): void {
  app.get(
    '/api/ui/workspaces/:workspaceId/conversations',
    { onRequest: [credentials.requireSession, requireMember] },
    async (request): Promise<ConversationList> => {
      const { after } = parseConversationsQuery(request.query as RawQuery);
      const { workspaceId } = request.membership;
      const { conversations, next } = await listConversations(workspaceId, after);
      const data = conversations.map(({ number, lastMessage }) => ({
        number,
        last_message: toMessage(lastMessage),
      }));
      return { data, next };
    },
  );
}
