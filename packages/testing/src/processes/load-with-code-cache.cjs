// Loaded by `node --require` before a bundled program. Runs the files of the bundle with V8's code
// cache, as `NODE_COMPILE_CACHE` does from Node 22 on. The first run of a program that exits with
// code 0 writes the program's cache, with all functions that it has compiled.
const fs = require('node:fs');
const nodeModule = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

const program = process.argv[1] ?? '';
const folder = path.dirname(program);
const cacheFolder = path.join(folder, `${path.basename(program, '.cjs')}-code-cache`);
const scripts = new Map();

// A script with a code cache cannot call `import()` itself.
const PARAMETERS = 'exports, require, module, __filename, __dirname, importModule';
const importModule = (specifier) => import(specifier);

const { prototype } = nodeModule.Module;
const compileWithoutCache = prototype._compile;
prototype._compile = function compile(code, filename) {
  if (path.dirname(filename) !== folder) return compileWithoutCache.call(this, code, filename);
  const name = path.basename(filename);
  const cachedData = readIfExists(path.join(cacheFolder, name));
  const text = `(function (${PARAMETERS}) { ${code}\n})`;
  const script = new vm.Script(text, { filename, cachedData });
  scripts.set(name, script);
  const run = script.runInThisContext();
  const require = nodeModule.createRequire(filename);
  return run.call(this.exports, this.exports, require, this, filename, folder, importModule);
};

process.once('exit', (code) => {
  if (code !== 0 || fs.existsSync(cacheFolder)) return;
  const draft = fs.mkdtempSync(`${cacheFolder}-`);
  for (const [name, script] of scripts) {
    fs.writeFileSync(path.join(draft, name), script.createCachedData());
  }
  try {
    fs.renameSync(draft, cacheFolder);
  } catch {
    // Another process has written the cache. The draft is removed with the bundle.
  }
});

function readIfExists(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}
