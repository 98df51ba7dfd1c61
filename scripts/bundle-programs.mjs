// Links each compiled program and its libraries into a few files of `dist`, unless nothing has changed since the last
// time. Node spends two thirds of a program's start on finding, reading and compiling 1,700 files.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';

const root = path.resolve(import.meta.dirname, '..');
const DIST = path.join(root, 'dist');
const APPS = ['api', 'worker', 'simulator', 'standalone'];
/** V8 accepts a code cache only in a process with the flags of the one that has written it. */
const API_FLAG = '--max-semi-space-size=64';
/** Two packages load native code, and `twilio` loads its 10 MB piece by piece. */
const UNBUNDLED = /^(@node-rs\/argon2|msgpackr|twilio)(\/|$)/;
const LOADER = path.join(import.meta.dirname, 'run-bundle.cjs');
const { wrap } = createRequire(import.meta.url)(LOADER);

const version = hashInputs();
const previous = read(path.join(DIST, 'version'));

async function bundle() {
  // Imported here, because loading it takes longer than checking the inputs.
  const { build } = await import('rolldown');
  const folder = path.join(DIST, version);
  rmSync(folder, { recursive: true, force: true });
  const { output } = await build({
    cwd: root,
    platform: 'node',
    input: findPrograms(),
    external: UNBUNDLED,
    plugins: [KEEP_LOCATIONS, AWAIT_NOTHING, REPLACE_IMPORTS],
    output: {
      dir: folder,
      // Node 20 has no code cache for ES modules.
      format: 'cjs',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      // Logs contain names of classes.
      keepNames: true,
      // V8 stores a text with another character in two bytes for each.
      charset: 'ascii',
      comments: { legal: true, annotation: false, jsdoc: false },
    },
    logLevel: 'warn',
  });
  writeFileSync(path.join(folder, 'run.js'), readFileSync(LOADER));
  const ofApi = listParts('api.js', new Map(output.map((chunk) => [chunk.fileName, chunk])));
  for (const { fileName } of output) writeCodeCache(path.join(folder, fileName), '.cache');
  v8.setFlagsFromString(API_FLAG);
  for (const name of ofApi) writeCodeCache(path.join(folder, name), '.api-cache');
  const files = new Map([['package.json', '{"type":"commonjs"}\n']]);
  for (const { fileName, isEntry } of output) {
    if (!isEntry) continue;
    const cache = fileName === 'api.js' ? '.api-cache' : '.cache';
    files.set(fileName, `require('./${version}/run.js').run('${fileName}', '${cache}');\n`);
  }
  files.set('version', version);
  for (const [name, text] of files) replace(name, text);
  // Processes that run may still load parts of the bundle that this one replaces.
  const used = new Set([...files.keys(), version, previous]);
  for (const name of readdirSync(DIST)) {
    if (!used.has(name)) rmSync(path.join(DIST, name), { recursive: true });
  }
}

/** A program of an app is its `main`, those of `cli` are its commands. */
function findPrograms() {
  const programs = {};
  for (const app of APPS) programs[app] = path.join(root, `apps/${app}/dist/main.js`);
  for (const entry of readdirSync(path.join(root, 'apps/cli/dist'))) {
    const file = path.join(root, 'apps/cli/dist', entry);
    const { name, ext } = path.parse(entry);
    if (ext === '.js' && /^await runCommand\(/m.test(read(file))) programs[name] = file;
  }
  return programs;
}

/** Returns the names of the files that the file may load, with its own. */
function listParts(name, chunks, found = new Set()) {
  if (found.has(name) || !chunks.has(name)) return found;
  found.add(name);
  const { imports, dynamicImports } = chunks.get(name);
  for (const part of [...imports, ...dynamicImports]) listParts(part, chunks, found);
  return found;
}

/** Compiles all functions, not only those that run at once. */
function writeCodeCache(file, ending) {
  v8.setFlagsFromString('--no-lazy');
  const script = new vm.Script(wrap(readFileSync(file, 'utf8')), { filename: file });
  v8.setFlagsFromString('--lazy');
  writeFileSync(`${file}${ending}`, script.createCachedData());
}

/** Our modules find files by their own location, which is that of the compiled module, not of the bundle. */
const KEEP_LOCATIONS = {
  name: 'keep locations',
  transform: {
    filter: { id: { exclude: /\/node_modules\// }, code: 'import.meta' },
    handler(code, id) {
      const locate = (file) => {
        const relative = path.relative(path.join(DIST, version), file);
        return `process.getBuiltinModule('node:path').join(import.meta.dirname, ${JSON.stringify(relative)})`;
      };
      const url = `process.getBuiltinModule('node:url').pathToFileURL(${locate(id)}).href`;
      return code
        .replaceAll('import.meta.dirname', locate(path.dirname(id)))
        .replaceAll('import.meta.url', url);
    },
  },
};

/** CommonJS modules cannot await. Our programs await only their last statement. */
const AWAIT_NOTHING = {
  name: 'await nothing',
  transform: {
    filter: { id: { include: /\/apps\/[^/]+\/dist\/[^/]+\.js$/ }, code: /^await /m },
    handler: (code) => code.replaceAll(/^await /gm, 'void '),
  },
};

/** The loader defines `importModule`. */
const REPLACE_IMPORTS = {
  name: 'replace imports',
  renderChunk: (code) => code.replaceAll(/(?<![\w$.])import\(/g, 'importModule('),
};

/** The compiler's records of what it has compiled contain a hash of each source file. */
function hashInputs() {
  const inputs = [
    'package-lock.json',
    'scripts/bundle-programs.mjs',
    'scripts/run-bundle.cjs',
    ...['apps', 'packages'].flatMap((group) =>
      readdirSync(path.join(root, group)).map((name) => `${group}/${name}/dist/.tsbuildinfo`),
    ),
  ];
  const hash = createHash('sha256').update(process.version).update(process.arch);
  for (const file of inputs) hash.update(read(path.join(root, file)) ?? '');
  return hash.digest('hex').slice(0, 16);
}

/** Replaces a file at once, because another process may start from it. */
function replace(name, text) {
  const draft = path.join(DIST, `.${name}`);
  writeFileSync(draft, text);
  renameSync(draft, path.join(DIST, name));
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

if (previous !== version) await bundle();
