import { Readable } from 'node:stream';
import { AppError } from '@switchboard/core';
import type { MessageStore } from '@switchboard/database';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Credentials } from '../http/credentials.ts';
import { createScopes } from '../http/scopes.ts';
import type { OpenProvider } from '../open-provider.ts';
import { safeMediaHeaders } from './safe-media-headers.ts';

export interface MediaRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  messages: Pick<MessageStore, 'find'>;
  openProvider: OpenProvider;
}

/** What came with a received message: fetched from its provider when asked for, and not kept. */
export function registerMediaRoutes(
  app: FastifyInstance,
  { credentials, requireMember, messages, openProvider }: MediaRouteDependencies,
): void {
  for (const { prefix, onRequest, workspaceOf } of createScopes(credentials, requireMember)) {
    app.get(
      `${prefix}/messages/:messageId/media/:index`,
      // A HEAD would fetch all of it for nothing.
      { onRequest, exposeHeadRoute: false },
      async (request, reply) => {
        const workspaceId = workspaceOf(request);
        const url = await findMediaUrl(request, workspaceId);
        const opened = await openProvider(workspaceId);
        if (opened === null) {
          throw new AppError(
            'provider_not_configured',
            'The workspace has no messaging provider configured',
          );
        }
        const media = await opened.adapter.fetchMedia(opened.account, url);
        switch (media.kind) {
          case 'missing':
            throw new AppError('not_found', 'The provider has no such media any more');
          case 'refused':
            throw new AppError('invalid_state', `The media is not fetched: ${media.detail}`);
          case 'unavailable':
            request.log.warn({ detail: media.detail }, 'media could not be fetched');
            throw new AppError('service_unavailable', 'The provider gave no answer', {
              retryAfterSeconds: 5,
            });
          case 'found':
            return reply
              .headers(safeMediaHeaders(media.contentType))
              .send(Readable.from(media.body, { objectMode: false }));
        }
      },
    );
  }

  async function findMediaUrl(request: FastifyRequest, workspaceId: string): Promise<string> {
    const { messageId, index } = request.params as { messageId: string; index: string };
    const message = await messages.find(workspaceId, messageId);
    if (message === null) throw new AppError('not_found', 'No such message');
    // What is sent is fetched by the provider from where the sender has it, and never by us.
    const item =
      message.direction === 'inbound' && /^(0|[1-9]\d?)$/.test(index)
        ? message.media[Number(index)]
        : undefined;
    if (item === undefined) throw new AppError('not_found', 'No such media was received');
    return item.url;
  }
}
