import {
  type ConversationList,
  type RawQuery,
  parseConversationsQuery,
} from '@switchboard/contracts';
import type { ListConversations } from '@switchboard/database';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { Credentials } from '../http/credentials.ts';
import { wantsFresh } from '../http/wants-fresh.ts';
import { toMessage } from '../wire/to-message.ts';

export interface ConversationsRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  listConversations: ListConversations;
  /** The same, and may be a moment behind. */
  listPastConversations: ListConversations;
}

export function registerConversationsRoute(
  app: FastifyInstance,
  dependencies: ConversationsRouteDependencies,
): void {
  const { credentials, requireMember, listConversations, listPastConversations } = dependencies;
  app.get(
    '/api/ui/workspaces/:workspaceId/conversations',
    { onRequest: [credentials.requireSession, requireMember] },
    async (request): Promise<ConversationList> => {
      const { after } = parseConversationsQuery(request.query as RawQuery);
      const { workspaceId } = request.membership;
      const list = wantsFresh(request) ? listConversations : listPastConversations;
      const { conversations, next } = await list(workspaceId, after);
      const data = conversations.map(({ number, lastMessage }) => ({
        number,
        last_message: toMessage(lastMessage),
      }));
      return { data, next };
    },
  );
}
