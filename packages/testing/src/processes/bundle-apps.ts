import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, build } from 'rolldown';
import { ROOT_FOLDER } from '../root-folder.ts';

export interface AppBundles {
  /** Contains `<app>.mjs` for each app. */
  folder: string;
  remove(): Promise<void>;
}

const APPS = ['api', 'worker', 'simulator'];

/**
 * Modules that Node loads from `node_modules`: two load native code, and `twilio` loads its 10 MB
 * piece by piece.
 */
const UNBUNDLED = /^(@node-rs\/argon2|msgpackr|twilio)(\/|$)/;

/**
 * Links each compiled app and its libraries into a few files. Node then starts it in half of the
 * processor time, most of which it otherwise spends on finding and reading 1,700 files.
 */
export async function bundleApps(): Promise<AppBundles> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-apps-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const mainOf = (app: string) => join(ROOT_FOLDER, `apps/${app}/dist/main.js`);
  try {
    await build({
      cwd: ROOT_FOLDER,
      platform: 'node',
      input: Object.fromEntries(APPS.map((app) => [app, mainOf(app)])),
      plugins: [LEAVE_UNBUNDLED, KEEP_LOCATIONS],
      output: {
        dir: folder,
        format: 'esm',
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        // Logs contain names of classes.
        keepNames: true,
      },
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder, remove };
}

const LEAVE_UNBUNDLED: Plugin = {
  name: 'leave unbundled',
  resolveId: {
    filter: { id: UNBUNDLED },
    async handler(source, importer, options) {
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      return resolved && { id: resolved.id, external: 'absolute' };
    },
  },
};

/** Our modules find files of the checkout by their own location. */
const KEEP_LOCATIONS: Plugin = {
  name: 'keep locations',
  transform: {
    filter: { id: { exclude: /\/node_modules\// }, code: 'import.meta' },
    handler: (code, id) =>
      code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
  },
};
