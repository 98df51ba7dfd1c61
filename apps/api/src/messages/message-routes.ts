import {
  EVENTS_SHOWN,
  REPEATS_SHOWN,
  refuse,
  routes,
  toHistoryFilter,
  toHistoryQuery,
  toListedWorkspace,
  toMessage,
} from '@switchboard/contracts';
import type {
  ListMessages,
  ReadMessagesAfter,
  MessageEventStore,
  MessageStore,
  SearchMessages,
  StoredMessage,
} from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import type { SendTable } from '../http/send-table.ts';
import { toMessageWithEvents } from '../wire/to-message-with-events.ts';
import { type BatchRouteDependencies, registerBatchRoute } from './batch/send-batch.route.ts';
import type { CancelMessage } from './cancel-message.ts';
import { exportMessages } from './export-messages.ts';
import { type SendRouteDependencies, registerSendRoute } from './send-message.route.ts';

export interface MessageRouteDependencies extends SendRouteDependencies, BatchRouteDependencies {
  messages: Pick<MessageStore, 'find' | 'list' | 'listRepeats'>;
  /** Reads from a replica if one is configured, so the response may be slightly out of date. */
  listHistory: ListMessages;
  readMessagesAfter: ReadMessagesAfter;
  /** Reads from a replica if one is configured. */
  readHistoryAfter: ReadMessagesAfter;
  searchMessages: SearchMessages;
  /** Reads from a replica if one is configured. */
  searchHistory: SearchMessages;
  messageEvents: Pick<MessageEventStore, 'listOfMessage'>;
  cancelMessage: CancelMessage;
  sendTable: SendTable;
}

export function registerMessageRoutes(
  registerRoute: RegisterRoute,
  dependencies: MessageRouteDependencies,
): void {
  const { messages, messageEvents, listHistory } = dependencies;

  async function findMessage(workspaceId: string, messageId: string): Promise<StoredMessage> {
    const message = await messages.find(workspaceId, messageId);
    if (message === null) throw refuse(routes.getMessage, 'not_found');
    return message;
  }

  registerSendRoute(registerRoute, dependencies);
  registerBatchRoute(registerRoute, dependencies);

  registerRoute(routes.listMessages, async ({ workspaceId: ownId, query, isFresh }) => {
    const workspaceId = toListedWorkspace(ownId, query.mode);
    const { page, limit, ...filter } = toHistoryQuery(query);
    const list = isFresh ? messages.list : listHistory;
    const found = await list(workspaceId, filter, { number: page, size: limit });
    const totalPages = Math.ceil(found.total / limit);
    return {
      messages: found.messages.map(toMessage),
      pagination: {
        currentPage: page,
        totalPages,
        totalMessages: found.total,
        hasNext: page < totalPages,
      },
    };
  });

  registerRoute(routes.searchMessages, async ({ workspaceId: ownId, query, isFresh }) => {
    const workspaceId = toListedWorkspace(ownId, query.mode);
    const search = isFresh ? dependencies.searchMessages : dependencies.searchHistory;
    const { search: text = '', after = null } = query;
    const { messages: found, next } = await search(workspaceId, text, after);
    return { data: found.map(toMessage), next };
  });

  registerRoute(routes.exportMessages, ({ workspaceId: ownId, query, reply, isFresh }) => {
    const workspaceId = toListedWorkspace(ownId, query.mode);
    const readAfter = isFresh ? dependencies.readMessagesAfter : dependencies.readHistoryAfter;
    const parts = exportMessages(readAfter, workspaceId, toHistoryFilter(query), query.numbers);
    return dependencies.sendTable(reply, { workspaceId, fileName: 'messages.csv', parts });
  });

  registerRoute(routes.getMessage, async ({ workspaceId, params: { messageId } }) => {
    const message = await findMessage(workspaceId, messageId);
    const [events, repeats] = await Promise.all([
      messageEvents.listOfMessage(message, EVENTS_SHOWN),
      messages.listRepeats(workspaceId, message.id, REPEATS_SHOWN),
    ]);
    return toMessageWithEvents(message, events, repeats);
  });

  registerRoute(routes.cancelMessage, async ({ workspaceId, params: { messageId }, log }) => {
    const message = await findMessage(workspaceId, messageId);
    await dependencies.cancelMessage({ workspaceId, id: message.id }, log);
    return toMessage(await findMessage(workspaceId, messageId));
  });
}
