import { routes } from '@switchboard/contracts';
import type { ListConversations } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { toMessage } from '../wire/to-message.ts';

export interface ConversationsRouteDependencies {
  listConversations: ListConversations;
  /** Reads from a replica if one is configured, so the answer may be slightly out of date. */
  listPastConversations: ListConversations;
}

export function registerConversationsRoute(
  registerRoute: RegisterRoute,
  { listConversations, listPastConversations }: ConversationsRouteDependencies,
): void {
  registerRoute(routes.listConversations, async ({ workspaceId, query, isFresh }) => {
    const list = isFresh ? listConversations : listPastConversations;
    const { conversations, next } = await list(workspaceId, query.after ?? null);
    const data = conversations.map(({ number, lastMessage }) => ({
      number,
      last_message: toMessage(lastMessage),
    }));
    return { data, next };
  });
}
