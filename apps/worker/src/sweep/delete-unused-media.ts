import type { MediaFileStore } from '@switchboard/database';
import type { MediaStorage } from '@switchboard/media';
import type { Logger } from '@switchboard/runtime';

const EVERY_MS = 60_000;
const BATCH_SIZE = 100;
/** The maximum time per sweep, so that other tasks run; the next sweep continues. */
const BUDGET_MS = 500;

/**
 * Removes uploaded files that no message uses, at most once a minute, in batches. A row is deleted after its file, so
 * that a worker that fails in between leaves nothing in the storage.
 */
export function createDeleteUnusedMedia(
  files: Pick<MediaFileStore, 'takeUnused' | 'forget'>,
  storage: Pick<MediaStorage, 'remove'> | null,
  logger: Pick<Logger, 'debug' | 'warn'>,
  { everyMs = EVERY_MS } = {},
) {
  let nextAt = 0;

  return async function deleteUnusedMedia(): Promise<void> {
    if (storage === null || performance.now() < nextAt) return;
    const startedAt = performance.now();
    let checked: number;
    do {
      const batch = await files.takeUnused(BATCH_SIZE);
      checked = batch.checked;
      const results = await Promise.allSettled(
        batch.unused.map(({ id, workspaceId }) => storage.remove({ workspaceId, mediaId: id })),
      );
      const removed = batch.unused.filter((_, at) => results[at]?.status === 'fulfilled');
      await files.forget(removed);
      if (removed.length > 0) logger.debug({ count: removed.length }, 'unused media deleted');
      const failure = results.find((result) => result.status === 'rejected');
      if (failure !== undefined) {
        logger.warn({ err: failure.reason as unknown }, 'failed to delete unused media');
        break;
      }
    } while (checked === BATCH_SIZE && performance.now() - startedAt < BUDGET_MS);
    nextAt = checked === BATCH_SIZE ? 0 : performance.now() + everyMs;
  };
}
