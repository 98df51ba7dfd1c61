import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { startGuard, whenParentExits } from '@switchboard/embedded-postgres';
import { isRunByNpm, setTemporaryFolder } from '../config.ts';
import { ROOT_FOLDER } from '../root-folder.ts';
import { MEMORY, RUN_PREFIX } from './run-folders.ts';

const GUARD = join(ROOT_FOLDER, 'scripts/remove-run.mjs');

/**
 * Opens a run: a process that starts servers and other programs, and all that these start. When the process ends,
 * however it ends, nothing of the run remains: `remove-run.mjs` finds its files in the folder of the run, and its
 * processes by the name of that folder. Every process of a run therefore has it in its environment (`TMPDIR`), its
 * arguments or its working directory.
 */
export function openRun(): void {
  const prefix = `${RUN_PREFIX}${process.pid}-`;
  // `npm test` has opened it before Vitest's global setup, which also runs once for each project.
  if (basename(tmpdir()).startsWith(prefix)) return;
  const folder = mkdtempSync(join(tmpdir(), prefix));
  startGuard(GUARD, [folder, MEMORY, RUN_PREFIX]);
  setTemporaryFolder(folder);
  // npm ends without a signal to its child if it is killed.
  if (isRunByNpm()) whenParentExits(() => process.exit(1));
}
