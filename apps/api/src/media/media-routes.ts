import { Readable } from 'node:stream';
import { refuse, routes } from '@switchboard/contracts';
import { AppError } from '@switchboard/core';
import type { MessageStore } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import type { OpenProvider } from '../open-provider.ts';
import { safeMediaHeaders } from './safe-media-headers.ts';

export interface MediaRouteDependencies {
  messages: Pick<MessageStore, 'find'>;
  openProvider: OpenProvider;
}

/** Registers the route for media of received messages, which are streamed from the provider. */
export function registerMediaRoutes(
  registerRoute: RegisterRoute,
  { messages, openProvider }: MediaRouteDependencies,
): void {
  const route = routes.getMedia;

  async function findMedia(workspaceId: string, id: string, index: number) {
    const message = await messages.find(workspaceId, id);
    // The provider fetches the media of an outbound message from the sender; the service never does.
    const item = message?.direction === 'inbound' ? message.media[index] : undefined;
    if (item === undefined) throw refuse(route, 'not_found');
    return { url: item.url, providerId: message?.providerId ?? undefined };
  }

  registerRoute(route, async ({ workspaceId, params, reply, log }) => {
    const { url, providerId } = await findMedia(workspaceId, params.messageId, params.index);
    const opened = await openProvider(workspaceId, providerId);
    if (opened === null) throw refuse(route, 'provider_not_configured');
    const media = await opened.adapter.fetchMedia(opened.account, url);
    switch (media.kind) {
      case 'missing':
        throw refuse(route, 'not_found');
      case 'refused':
        throw new AppError('invalid_state', `The media is not fetched: ${media.detail}`);
      case 'unavailable':
        log.warn({ detail: media.detail }, 'failed to fetch media');
        throw refuse(route, 'service_unavailable', { retryAfterSeconds: 5 });
      case 'found':
        reply.headers(safeMediaHeaders(media.contentType));
        return Readable.from(media.body, { objectMode: false });
    }
  });
}
