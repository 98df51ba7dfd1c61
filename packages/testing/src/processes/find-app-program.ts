import { join } from 'node:path';
import { readTestingConfig } from '../config.ts';
import { ROOT_FOLDER } from '../root-folder.ts';

const APPS = new Set(['api', 'worker', 'simulator']);
const LOADER = join(ROOT_FOLDER, 'packages/testing/src/processes/load-with-code-cache.cjs');

let findBundles: () => Promise<string | undefined> = async () => readTestingConfig().appBundles;

/**
 * Returns the arguments of `node` that run an app, or a command of `apps/cli`, of this checkout: its bundle
 * if there is one, else its compiled file.
 */
export async function findAppProgram(name: string): Promise<readonly string[]> {
  const bundles = await findBundles();
  if (bundles !== undefined) return ['--require', LOADER, join(bundles, `${name}.cjs`)];
  const file = APPS.has(name) ? `${name}/dist/main.js` : `cli/dist/${name}.js`;
  return [join(ROOT_FOLDER, 'apps', file)];
}

/** Replaces how the folder of the bundles is found, for this process. */
export function findAppBundlesWith(find: () => Promise<string>): void {
  findBundles = find;
}
