import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Environment, runProgram } from './run-program.ts';

const TAG = 'switchboard';

/** Copies a dump to the restic repository of the environment, which encrypts what it keeps. */
export async function copyOffMachine(dump: string, days: number, env: Environment): Promise<void> {
  await runProgram('restic', ['backup', '--quiet', '--tag', TAG, dump], env);
  // Each dump has its own path. Grouped by path, which is restic's default, the newest of each would be
  // kept.
  const keep = ['--keep-within', `${days}d`, '--group-by', 'tags', '--prune'];
  await runProgram('restic', ['forget', '--quiet', '--tag', TAG, ...keep], env);
}

/** Fetches the newest dump of the repository into `folder` and returns the file; null if there is none. */
export async function fetchNewestCopy(folder: string, env: Environment): Promise<string | null> {
  const snapshot = ['latest', '--tag', TAG];
  await runProgram('restic', ['restore', ...snapshot, '--quiet', '--target', folder], env);
  const names = await readdir(folder, { recursive: true });
  const dump = names.find((name) => name.endsWith('.dump'));
  return dump === undefined ? null : join(folder, dump);
}
