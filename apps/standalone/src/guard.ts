// Stops what a killed `npm start` leaves behind: PostgreSQL, which survives its owner so that it ends gracefully, and
// processes that hang. The next start would do the same.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFolderOwner, stopSurvivor } from '@switchboard/embedded-postgres';
import { stopLeftoverChildren } from './leftover-children.ts';

/** After this time, a process that was just being started has recorded itself. */
const LATE_MS = 3_000;

const dataDir = process.argv[2] ?? '';
// Ends when `npm start` ends.
for await (const chunk of process.stdin) void chunk;
for (const waitMs of [0, LATE_MS]) {
  await delay(waitMs);
  // A new start stops them itself, and its own processes must not be stopped.
  if ((await findFolderOwner(dataDir)) !== null) break;
  await stopLeftoverChildren(dataDir);
  await stopSurvivor(join(dataDir, 'postgres'));
}
