import { setTimeout as delay } from 'node:timers/promises';
import { FolderInUseError, type FolderLock, lockFolder } from '@switchboard/embedded-postgres';

/** One that is just ending is waited for: `npm start` right after a stop finds its place free. */
export async function lockDataFolder(dataDir: string): Promise<FolderLock> {
  const deadline = performance.now() + 2_000;
  for (;;) {
    try {
      return await lockFolder(dataDir);
    } catch (cause) {
      if (!(cause instanceof FolderInUseError)) throw cause;
      if (performance.now() > deadline) {
        throw new Error(
          `Switchboard is already running on ${dataDir} (process ${cause.pid}): stop it, or set DATA_DIR to another folder.`,
          { cause },
        );
      }
    }
    await delay(50);
  }
}
