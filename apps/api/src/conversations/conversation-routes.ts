import { refuse, routes, toMessage, toPaging } from '@switchboard/contracts';
import type { Clock, EventBus } from '@switchboard/core';
import type {
  ConversationFilter,
  ConversationStore,
  ListConversations,
  ReadThread,
} from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { toConversation } from '../wire/to-conversation.ts';

export interface ConversationRouteDependencies {
  conversations: ConversationStore;
  listConversations: ListConversations;
  /** Reads from a replica if one is configured, so the response may be slightly out of date. */
  listPastConversations: ListConversations;
  readThread: ReadThread;
  /** The same, from a replica. */
  readPastThread: ReadThread;
  clock: Clock;
  publishLater: EventBus['publishLater'];
}

export function registerConversationRoutes(
  registerRoute: RegisterRoute,
  dependencies: ConversationRouteDependencies,
): void {
  const { conversations, listConversations, listPastConversations, clock } = dependencies;
  const now = (): Date => new Date(clock.now());
  const publish = (workspaceId: string, number: string, by: { assignedBy?: string } = {}): void =>
    dependencies.publishLater({ kind: 'inbox', workspaceId, number, noteId: null, ...by });

  registerRoute(routes.listConversations, async ({ workspaceId, query, session, isFresh }) => {
    const { state, assignee, unread, search, after } = query;
    const filter: ConversationFilter = {
      ...(state !== undefined && { state }),
      ...(assignee !== undefined && { assigneeId: toAssigneeId(assignee, session.user.id) }),
      ...(unread !== undefined && { isUnread: true }),
      ...(search !== undefined && { search }),
    };
    const list = isFresh ? listConversations : listPastConversations;
    const page = await list(workspaceId, filter, after ?? null);
    return { data: page.conversations.map(toConversation), next: page.next };
  });

  registerRoute(routes.getConversation, async ({ workspaceId, params }) => {
    const found = await conversations.find(workspaceId, params.number);
    if (found === null) throw refuse(routes.getConversation, 'not_found');
    return toConversation(found);
  });

  registerRoute(routes.listThread, async ({ workspaceId, params: { number }, query, isFresh }) => {
    const read = isFresh ? dependencies.readThread : dependencies.readPastThread;
    const { after = null, limit } = query;
    const page = await read(workspaceId, number, { after, size: toPaging({ limit }).limit });
    const isUnknown =
      page.messages.length === 0 && (await conversations.find(workspaceId, number)) === null;
    if (isUnknown) throw refuse(routes.listThread, 'not_found');
    return { data: page.messages.map(toMessage), next: page.next };
  });

  registerRoute(routes.changeConversation, async ({ workspaceId, params, session, body }) => {
    const { state, assignee_id: assigneeId, opt_out_suspected: isOptOutSuspected } = body;
    const change = {
      ...(state !== undefined && { isClosed: state === 'closed' }),
      ...(assigneeId !== undefined && { assigneeId }),
      ...(isOptOutSuspected !== undefined && { isOptOutSuspected }),
    };
    const changed = await conversations.change(workspaceId, params.number, change, now());
    if (changed === 'missing') throw refuse(routes.changeConversation, 'not_found');
    if (changed === 'not_member') throw refuse(routes.changeConversation, 'invalid_params');
    const isAssigned = assigneeId !== undefined;
    publish(workspaceId, params.number, isAssigned ? { assignedBy: session.user.id } : {});
    return toConversation(changed);
  });

  registerRoute(routes.readConversation, async ({ workspaceId, params, body }) => {
    const { number } = params;
    const read = await conversations.markRead(workspaceId, number, body.message_id ?? null, now());
    if (read === null) throw refuse(routes.readConversation, 'not_found');
    if (read.hasChanged) publish(workspaceId, number);
    return toConversation(read.conversation);
  });

  registerRoute(routes.unreadConversation, async ({ workspaceId, params: { number } }) => {
    const marked = await conversations.markUnread(workspaceId, number, now());
    if (marked === null) throw refuse(routes.unreadConversation, 'not_found');
    if (marked.hasChanged) publish(workspaceId, number);
    return toConversation(marked.conversation);
  });
}

function toAssigneeId(assignee: string, ownId: string): string | null {
  if (assignee === 'none') return null;
  return assignee === 'me' ? ownId : assignee;
}
