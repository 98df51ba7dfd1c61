import {
  AppError,
  MEDIA_MAX_BYTES,
  MEDIA_MAX_IN_WORDS,
  readMediaReference,
} from '@switchboard/core';
import type { MediaFileStore, StoredMessage } from '@switchboard/database';

export type UseMedia = ReturnType<typeof createUseMedia>;

/**
 * Creates the function that turns the addresses of a request into the media of a message. It records the use of
 * uploaded files before the message is stored, so that none of them is deleted in between.
 */
export function createUseMedia(files: Pick<MediaFileStore, 'use'>) {
  return async function useMedia(
    workspaceId: string,
    messageId: string,
    urls: readonly string[],
  ): Promise<StoredMessage['media']> {
    const ids = urls.map(readMediaReference).filter((id) => id !== null);
    if (ids.length === 0) return urls.map((url) => ({ url, content_type: null }));
    const used = await files.use(workspaceId, [{ messageId, ids: [...new Set(ids)] }]);
    const byId = new Map(used.map((file) => [file.id, file]));
    const missing = urls.findIndex((url) => {
      const id = readMediaReference(url);
      return id !== null && !byId.has(id);
    });
    if (missing >= 0) {
      throw new AppError(
        'invalid_params',
        `\`media_urls[${missing}]\` must be the \`url\` of an existing file of this workspace`,
      );
    }
    const size = ids.reduce((sum, id) => sum + (byId.get(id)?.size ?? 0), 0);
    if (size > MEDIA_MAX_BYTES) {
      throw new AppError(
        'invalid_params',
        `\`media_urls\` must have uploaded files of at most ${MEDIA_MAX_IN_WORDS} in total`,
      );
    }
    return urls.map((url) => ({
      url,
      content_type: byId.get(readMediaReference(url) ?? '')?.contentType ?? null,
    }));
  };
}
