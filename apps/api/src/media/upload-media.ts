import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { refuse, routes } from '@switchboard/contracts';
import {
  AppError,
  type Clock,
  MEDIA_MAX_BYTES,
  MEDIA_MAX_IN_WORDS,
  createShardedUuid,
} from '@switchboard/core';
import type { MediaFileStore, StoredMediaFile } from '@switchboard/database';
import {
  FileTooLargeError,
  type MediaKey,
  type MediaStorage,
  readMediaType,
  receiveFile,
} from '@switchboard/media';
import type { FastifyBaseLogger } from 'fastify';
import { storageUnavailable } from './serve-file.ts';

export interface UploadDependencies {
  mediaFiles: Pick<MediaFileStore, 'reserve' | 'markStored' | 'remove'>;
  mediaStorage: MediaStorage | null;
  mediaLimitBytes: number;
  clock: Clock;
}

export interface Upload {
  workspaceId: string;
  name: string;
  body: Readable;
  /** The size that the client announces; null if it announces none. */
  length: number | null;
  log: FastifyBaseLogger;
}

const route = routes.uploadMedia;

/**
 * Creates the function that accepts an upload. The row is written first, so that a worker finds and
 * removes what a failed upload leaves behind. No message can use the file before it is stored.
 */
export function createUploadMedia(dependencies: UploadDependencies) {
  const { mediaFiles, mediaStorage: storage, mediaLimitBytes, clock } = dependencies;

  return async function uploadMedia(upload: Upload): Promise<StoredMediaFile> {
    const { workspaceId, name, length, log } = upload;
    if (storage === null) throw refuse(route, 'invalid_state');
    if (length === 0) throw refuse(route, 'missing_params');
    if (length !== null && length > MEDIA_MAX_BYTES) throw tooLarge();
    const createdAt = new Date(clock.now());
    const id = createShardedUuid(createdAt.getTime());
    const size = length ?? MEDIA_MAX_BYTES;
    const reserved = await mediaFiles.reserve(
      { id, workspaceId, name, size, createdAt },
      mediaLimitBytes,
    );
    if (reserved === 'too_many_files') throw refuse(route, 'quota_exceeded');
    if (reserved === 'too_many_bytes') {
      const detail = `The quota of ${Math.floor(mediaLimitBytes / 1_048_576)} MB of files per workspace has been reached`;
      throw new AppError('quota_exceeded', detail);
    }
    try {
      const content = await store(storage, { workspaceId, mediaId: id }, upload);
      const now = new Date(clock.now());
      const stored = await mediaFiles.markStored({ id, workspaceId }, content, now);
      if (stored === null) throw new AppError('invalid_params', 'The upload took too long');
      return stored;
    } catch (error) {
      // If this fails too, a worker removes the file after an hour.
      await mediaFiles.remove(workspaceId, id).catch((failure: unknown) => {
        log.warn({ err: failure, media_id: id }, 'failed to discard an upload');
      });
      throw error;
    }
  };
}

async function store(storage: MediaStorage, key: MediaKey, { body, log }: Upload) {
  const asUnavailable = (cause: unknown): never => {
    throw storageUnavailable(cause, log);
  };
  const path = await storage.prepare(key).catch(asUnavailable);
  try {
    const size = await receiveFile(body, path, MEDIA_MAX_BYTES).catch((error: unknown) => {
      throw error instanceof FileTooLargeError ? tooLarge() : error;
    });
    if (size === 0) throw refuse(route, 'missing_params');
    const contentType = await readMediaType(path);
    if (contentType === null) throw refuse(route, 'invalid_params');
    await storage.store(key, path, contentType).catch(asUnavailable);
    return { contentType, size };
  } catch (error) {
    // Otherwise a client that is still sending does not read the response.
    body.resume();
    await rm(path, { force: true });
    throw error;
  }
}

function tooLarge(): AppError {
  return new AppError('invalid_params', `The file is larger than ${MEDIA_MAX_IN_WORDS}`);
}
