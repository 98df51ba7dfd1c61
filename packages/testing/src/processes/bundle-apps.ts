import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, build } from 'rolldown';
import { ROOT_FOLDER } from '../root-folder.ts';

export interface AppBundles {
  /** Contains `<program>.cjs` for each app and each command of `apps/cli`. */
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
 * Links each compiled app and its libraries into a few files. Node then starts an app in a third of the
 * CPU time, most of which it otherwise spends on finding, reading and compiling 1,700 files.
 * The files are CommonJS modules, because Node 20 has no code cache for others.
 */
export async function bundleApps(): Promise<AppBundles> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-apps-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const programs: Record<string, string> = {};
  for (const app of APPS) programs[app] = join(ROOT_FOLDER, `apps/${app}/dist/main.js`);
  for (const file of await readdir(join(ROOT_FOLDER, 'apps/cli/src'))) {
    const { name, ext } = parse(file);
    if (ext === '.ts') programs[name] = join(ROOT_FOLDER, `apps/cli/dist/${name}.js`);
  }
  try {
    await build({
      cwd: ROOT_FOLDER,
      platform: 'node',
      input: programs,
      plugins: [LEAVE_UNBUNDLED, KEEP_LOCATIONS, AWAIT_NOTHING, REPLACE_IMPORTS],
      output: {
        dir: folder,
        format: 'cjs',
        entryFileNames: '[name].cjs',
        chunkFileNames: '[name]-[hash].cjs',
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

/** CommonJS modules cannot await. Our programs await only their last statement. */
const AWAIT_NOTHING: Plugin = {
  name: 'await nothing',
  transform: {
    filter: { id: { include: /\/apps\/[^/]+\/dist\/[^/]+\.js$/ }, code: /^await /m },
    handler: (code) => code.replaceAll(/^await /gm, 'void '),
  },
};

/** The loader defines `importModule`, because `import()` is not available with a code cache. */
const REPLACE_IMPORTS: Plugin = {
  name: 'replace imports',
  renderChunk: (code) => code.replaceAll(/(?<![\w$.])import\(/g, 'importModule('),
};
