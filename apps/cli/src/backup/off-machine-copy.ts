import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Environment, runProgram } from './run-program.ts';

const TAG = 'switchboard';

/** Copies a dump to the restic repository that `env` names. restic encrypts the copy. */
export async function copyOffMachine(dump: string, days: number, env: Environment): Promise<void> {
  await runProgram('restic', ['backup', '--quiet', '--tag', TAG, dump], env);
  // By default, restic groups snapshots by path and keeps the newest of each group. Each dump has its
  // own path, so restic would keep all of them.
  const keep = ['--keep-within', `${days}d`, '--group-by', 'tags', '--prune'];
  await runProgram('restic', ['forget', '--quiet', '--tag', TAG, ...keep], env);
}

/** Restores the newest dump of the repository into `folder` and returns its path, or null if there is none. */
export async function fetchNewestCopy(folder: string, env: Environment): Promise<string | null> {
  const snapshot = ['latest', '--tag', TAG];
  await runProgram('restic', ['restore', ...snapshot, '--quiet', '--target', folder], env);
  const names = await readdir(folder, { recursive: true });
  const dump = names.find((name) => name.endsWith('.dump'));
  return dump === undefined ? null : join(folder, dump);
}
