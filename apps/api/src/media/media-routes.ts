import { Readable } from 'node:stream';
import { refuse, routes } from '@switchboard/contracts';
import { AppError, UNREADABLE_MEDIA, readMediaReference } from '@switchboard/core';
import type { MediaFileStore, MessageStore } from '@switchboard/database';
import type { MediaStorage } from '@switchboard/media';
import type { RegisterRoute } from '../http/register-route.ts';
import type { OpenProvider } from '../open-provider.ts';
import { safeMediaHeaders } from './safe-media-headers.ts';
import { createServeFile } from './serve-file.ts';

export interface MediaRouteDependencies {
  messages: Pick<MessageStore, 'find'>;
  openProvider: OpenProvider;
  mediaFiles: Pick<MediaFileStore, 'find'>;
  mediaStorage: MediaStorage | null;
}

/**
 * Registers the route for media of messages. Media of received messages are streamed from the
 * provider, and uploaded files from the storage.
 */
export function registerMediaRoutes(
  registerRoute: RegisterRoute,
  { messages, openProvider, mediaFiles, mediaStorage }: MediaRouteDependencies,
): void {
  const route = routes.getMedia;
  const serveFile = createServeFile(mediaStorage);

  async function findMedia(workspaceId: string, id: string, index: number) {
    const message = await messages.find(workspaceId, id);
    const item = message?.media[index];
    if (message === null || item === undefined || item.url === UNREADABLE_MEDIA) {
      throw refuse(route, 'not_found');
    }
    if (message.direction === 'inbound') {
      return { url: item.url, providerId: message.providerId ?? undefined };
    }
    const mediaId = readMediaReference(item.url);
    const file = mediaId === null ? null : await mediaFiles.find(workspaceId, mediaId);
    // The provider fetches other media of an outbound message from the sender; the service never does.
    if (file === null) throw refuse(route, 'not_found');
    return { file };
  }

  registerRoute(route, async ({ workspaceId, params, request, reply, log }) => {
    const found = await findMedia(workspaceId, params.messageId, params.index);
    if (found.file !== undefined) {
      const body = await serveFile(found.file, { request, reply, log });
      if (body === null) throw refuse(route, 'not_found');
      return body;
    }
    const { url, providerId } = found;
    const opened = await openProvider(workspaceId, providerId);
    if (opened === null) throw refuse(route, 'provider_not_configured');
    const { fetchMedia } = opened.adapter;
    if (fetchMedia === null) throw refuse(route, 'not_found');
    const media = await fetchMedia(opened.account, url);
    switch (media.kind) {
      case 'missing':
        throw refuse(route, 'not_found');
      case 'refused':
        throw new AppError('invalid_state', `The media could not be fetched: ${media.detail}`);
      case 'unavailable':
        log.warn({ detail: media.detail }, 'failed to fetch media');
        throw refuse(route, 'service_unavailable', { retryAfterSeconds: 5 });
      case 'found':
        reply.headers(safeMediaHeaders(media.contentType));
        return Readable.from(media.body, { objectMode: false });
    }
  });
}
