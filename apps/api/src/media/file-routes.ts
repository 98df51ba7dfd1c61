import type { Readable } from 'node:stream';
import { OK, refuse, routes } from '@switchboard/contracts';
import { type Clock, toMediaReference } from '@switchboard/core';
import type { MediaFileStore, StoredMediaFile } from '@switchboard/database';
import type { MediaLinks, MediaStorage } from '@switchboard/media';
import type { FastifyInstance } from 'fastify';
import type { RegisterRoute } from '../http/register-route.ts';
import { createServeFile } from './serve-file.ts';
import { type UploadDependencies, createUploadMedia } from './upload-media.ts';

export interface FileRouteDependencies extends UploadDependencies {
  mediaFiles: MediaFileStore;
  mediaLinks: Pick<MediaLinks, 'verify'>;
  mediaStorage: MediaStorage | null;
  clock: Clock;
}

/** Registers the routes of uploaded files, except for the upload itself. */
export function registerFileRoutes(
  registerRoute: RegisterRoute,
  { mediaFiles, mediaLinks, mediaStorage, clock }: FileRouteDependencies,
): void {
  const serveFile = createServeFile(mediaStorage);

  registerRoute(routes.getMediaFile, async ({ workspaceId, params }) => {
    const file = await mediaFiles.find(workspaceId, params.mediaId);
    if (file === null) throw refuse(routes.getMediaFile, 'not_found');
    return toMediaFile(file);
  });

  registerRoute(routes.removeMediaFile, async ({ workspaceId, params }) => {
    const result = await mediaFiles.remove(workspaceId, params.mediaId);
    if (result === 'missing') throw refuse(routes.removeMediaFile, 'not_found');
    if (result === 'used') throw refuse(routes.removeMediaFile, 'invalid_state');
    return OK;
  });

  registerRoute(routes.downloadMediaFile, async ({ workspaceId, params, ...connection }) => {
    const file = await mediaFiles.find(workspaceId, params.mediaId);
    const body = file === null ? null : await serveFile(file, connection);
    if (body === null) throw refuse(routes.downloadMediaFile, 'not_found');
    return body;
  });

  registerRoute(routes.followMediaLink, async ({ params, query, ...connection }) => {
    const { mediaId } = params;
    const { expires = '', signature = '' } = query;
    if (!mediaLinks.verify({ mediaId, expires, signature }, clock.now())) {
      throw refuse(routes.followMediaLink, 'forbidden');
    }
    const file = await mediaFiles.findAnywhere(mediaId);
    const body = file === null ? null : await serveFile(file, connection);
    if (body === null) throw refuse(routes.followMediaLink, 'not_found');
    return body;
  });
}

/**
 * Registers the upload, whose body is the file. The file is the whole body, not part of a form, so
 * that its size is known before it arrives, and nothing has to be parsed.
 */
export async function registerUploadRoute(
  app: FastifyInstance,
  createRegister: (scope: FastifyInstance) => RegisterRoute,
  dependencies: FileRouteDependencies,
): Promise<void> {
  const upload = createUploadMedia(dependencies);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    createRegister(scope)(routes.uploadMedia, async ({ workspaceId, query, request, log }) => {
      const length = request.headers['content-length'];
      const file = await upload({
        workspaceId,
        name: query.name ?? '',
        body: (request.body as Readable | undefined) ?? request.raw,
        length: length === undefined ? null : Number(length),
        log,
      });
      return toMediaFile(file);
    });
  });
}

function toMediaFile({ id, name, contentType, size, createdAt }: StoredMediaFile) {
  return {
    id,
    url: toMediaReference(id),
    name,
    content_type: contentType,
    size,
    created_at: createdAt.toISOString(),
  };
}
