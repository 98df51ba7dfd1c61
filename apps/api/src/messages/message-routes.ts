import { type MessageList, type RawQuery, parseHistoryQuery } from '@switchboard/contracts';
import { AppError } from '@switchboard/core';
import type {
  ListMessages,
  MessageEventStore,
  MessageStore,
  StoredMessage,
} from '@switchboard/database';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { wantsFresh } from '../http/wants-fresh.ts';
import { toMessage, toMessageWithEvents } from '../wire/to-message.ts';
import type { CancelMessage } from './cancel-message.ts';
import { type SendRouteDependencies, registerSendRoutes } from './send-message.route.ts';

export interface MessageRouteDependencies extends SendRouteDependencies {
  messages: Pick<MessageStore, 'find' | 'list'>;
  /** As `messages.list`, and may be a moment behind. */
  listHistory: ListMessages;
  messageEvents: Pick<MessageEventStore, 'listOfMessage'>;
  cancelMessage: CancelMessage;
}

/** The same routes for programs, in their key's workspace, and for people, in the path's. */
export function registerMessageRoutes(
  app: FastifyInstance,
  dependencies: MessageRouteDependencies,
): void {
  const { credentials, requireMember } = dependencies;
  const scopes: Scope[] = [
    {
      prefix: '/api/messages',
      onRequest: [credentials.requireApiKey],
      workspaceOf: (request) => request.apiKey.workspaceId,
    },
    {
      prefix: '/api/ui/workspaces/:workspaceId/messages',
      onRequest: [credentials.requireSession, requireMember],
      workspaceOf: (request) => request.membership.workspaceId,
    },
  ];
  registerSendRoutes(app, dependencies);
  for (const scope of scopes) registerScope(app, scope, dependencies);
}

interface Scope {
  prefix: string;
  onRequest: onRequestAsyncHookHandler[];
  workspaceOf(request: FastifyRequest): string;
}

function registerScope(
  app: FastifyInstance,
  { prefix, onRequest, workspaceOf }: Scope,
  dependencies: MessageRouteDependencies,
): void {
  const { messages, messageEvents, listHistory } = dependencies;

  async function getMessage(request: FastifyRequest): Promise<StoredMessage> {
    const { messageId } = request.params as { messageId: string };
    const message = await messages.find(workspaceOf(request), messageId);
    if (message === null) throw new AppError('not_found', 'No such message');
    return message;
  }

  app.get(prefix, { onRequest }, async (request): Promise<MessageList> => {
    const { page, limit, ...filter } = parseHistoryQuery(request.query as RawQuery);
    const list = wantsFresh(request) ? messages.list : listHistory;
    const found = await list(workspaceOf(request), filter, { number: page, size: limit });
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

  app.get(`${prefix}/:messageId`, { onRequest }, async (request) => {
    const message = await getMessage(request);
    return toMessageWithEvents(message, await messageEvents.listOfMessage(message.id));
  });

  app.post(`${prefix}/:messageId/cancel`, { onRequest }, async (request) => {
    const message = await getMessage(request);
    await dependencies.cancelMessage(message.id, request.log);
    return toMessage(await getMessage(request));
  });
}
