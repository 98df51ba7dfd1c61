import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MediaKey, MediaStorage } from './media-storage.ts';

/** Only the user of the service can read files and folders. */
const FOLDER_MODE = 0o700;

/** Stores files as `<folder>/<workspace>/<id>`. All processes must see the same folder. */
export function createFolderStorage(folder: string): MediaStorage {
  const pathOf = ({ workspaceId, mediaId }: MediaKey) => join(folder, workspaceId, mediaId);
  // On the same file system as the stored files, so that a rename makes the whole file appear at
  // once.
  const receivedPathOf = ({ mediaId }: MediaKey) => join(folder, 'receiving', mediaId);

  return {
    async prepare(key) {
      const path = receivedPathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
      return path;
    },

    async store(key, path) {
      const target = pathOf(key);
      await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE });
      await rename(path, target);
      // The name of a file is durable when its folder is, and the name of a new folder when its parent is.
      await syncFolder(dirname(target));
      await syncFolder(folder);
    },

    async open(key) {
      let file;
      try {
        file = await open(pathOf(key), 'r');
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
      const { size } = await file.stat();
      return { size, body: file.createReadStream() };
    },

    async remove(key) {
      await rm(receivedPathOf(key), { force: true });
      await rm(pathOf(key), { force: true });
    },

    close: async () => undefined,
  };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
