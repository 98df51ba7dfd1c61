import { setTimeout as delay } from 'node:timers/promises';
import { FolderInUseError, type FolderLock, lockFolder } from '@switchboard/embedded-postgres';

/** Locks the folder. Waits for a process that is stopping, so that `npm start` works right after a stop. */
export async function lockDataFolder(dataDir: string): Promise<FolderLock> {
  const deadline = performance.now() + 2_000;
  for (;;) {
    try {
      return await lockFolder(dataDir);
    } catch (cause) {
      if (!(cause instanceof FolderInUseError)) throw cause;
      if (performance.now() > deadline) {
        throw new Error(
          `Switchboard is already running on ${dataDir} (process ${cause.pid}). Stop it, or set DATA_DIR to another folder.`,
          { cause },
        );
      }
    }
    await delay(50);
  }
}
