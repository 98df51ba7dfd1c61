import { createBatch } from '@switchboard/core';
import type {
  IdempotencyStore,
  MediaFileStore,
  MediaUse,
  MessageStore,
  StoredAnswer,
  StoredMessage,
} from '@switchboard/database';
import { type UseMedia, createUseMedia } from './use-media.ts';

/** What a send must know before it is stored. */
export interface SendLookups {
  findKey: IdempotencyStore['find'];
  findMessage: MessageStore['find'];
  useMedia: UseMedia;
}

export interface LookUpDependencies {
  messages: Pick<MessageStore, 'find'>;
  idempotency: Pick<IdempotencyStore, 'findEach'>;
  mediaFiles: Pick<MediaFileStore, 'use'>;
}

/**
 * Creates the lookups of a workspace's sends that are processed at the same time: one statement for all their keys, one
 * for all their uploaded files, and one connection for the messages that they repeat.
 */
export function createLookUpEach(
  dependencies: LookUpDependencies,
  workspaceId: string,
): SendLookups {
  const gather = { maxSize: Infinity, concurrency: 1, maxWaiting: Infinity };
  const { messages, idempotency, mediaFiles } = dependencies;

  const findKey = createBatch<string, StoredAnswer | null>({
    ...gather,
    run: (keys) => idempotency.findEach(workspaceId, keys),
  });

  const findMessage = createBatch<string, StoredMessage | null>({
    ...gather,
    async run(ids) {
      const found = new Map<string, StoredMessage | null>();
      for (const id of new Set(ids)) found.set(id, await messages.find(workspaceId, id));
      return ids.map((id) => found.get(id) ?? null);
    },
  });

  const useFiles = createBatch<MediaUse, Awaited<ReturnType<MediaFileStore['use']>>>({
    ...gather,
    async run(uses) {
      const used = await mediaFiles.use(workspaceId, uses);
      return uses.map(() => used);
    },
  });

  return {
    findKey: (_workspaceId, key) => findKey(key),
    findMessage: (_workspaceId, id) => findMessage(id),
    useMedia: createUseMedia({
      use: async (_workspaceId, uses) => (await Promise.all(uses.map(useFiles))).flat(),
    }),
  };
}
