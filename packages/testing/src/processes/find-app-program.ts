import { join } from 'node:path';
import { ROOT_FOLDER } from '../root-folder.ts';

/** Returns the arguments of `node` that run an app or a command: of this checkout, its compiled file. */
type FindProgram = (name: string) => Promise<readonly string[]>;

const APPS = new Set(['api', 'worker', 'simulator']);

let find: FindProgram = async (name) => [
  join(ROOT_FOLDER, 'apps', APPS.has(name) ? `${name}/dist/main.js` : `cli/dist/${name}.js`),
];

/** Finds an app, or a command of `apps/cli`, of this checkout. */
export function findAppProgram(name: string): Promise<readonly string[]> {
  return find(name);
}

/** Replaces how programs of this checkout are found, for this process. */
export function findProgramsWith(replacement: FindProgram): void {
  find = replacement;
}
