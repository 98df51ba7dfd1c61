import { Readable } from 'node:stream';
import { AppError } from '@switchboard/core';
import type { StoredMediaFile } from '@switchboard/database';
import type { MediaStorage } from '@switchboard/media';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { safeMediaHeaders } from './safe-media-headers.ts';

interface Connection {
  request: Pick<FastifyRequest, 'method'>;
  reply: FastifyReply;
  log: FastifyBaseLogger;
}

/** Creates the function that responds with a stored file; null if there is none. */
export function createServeFile(storage: MediaStorage | null) {
  return async function serveFile(
    { id, workspaceId, contentType, size }: StoredMediaFile,
    { request, reply, log }: Connection,
  ): Promise<Readable | null> {
    if (storage === null) return null;
    const headers = { ...safeMediaHeaders(contentType), 'content-length': size };
    if (request.method === 'HEAD') {
      reply.headers(headers);
      return Readable.from([]);
    }
    const found = await storage.open({ workspaceId, mediaId: id }).catch((cause: unknown) => {
      throw storageUnavailable(cause, log);
    });
    if (found !== null) reply.headers(headers);
    return found?.body ?? null;
  };
}

/** Creates the error for a failure of the storage. Its cause is logged and not sent to clients. */
export function storageUnavailable(cause: unknown, log: FastifyBaseLogger): AppError {
  log.error({ err: cause }, 'failed to reach the media storage');
  return new AppError('service_unavailable', 'The file storage does not respond', {
    cause,
    retryAfterSeconds: 5,
  });
}
