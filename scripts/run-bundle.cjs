// Runs a program of the bundle that this file was copied to, with V8's code cache, which bundle-programs.mjs has written.
// V8 compiles the files as usual if another release of Node or other flags have written the cache.
const { readFileSync } = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

// A script with a code cache cannot call `import()` itself.
const PARAMETERS = 'exports, require, module, __filename, __dirname, importModule';
const importModule = (specifier) => import(specifier);

/** Runs a program, with the caches of this file ending. */
function run(program, cacheEnding) {
  const loaded = new Map();
  const requirePart = (id) => (id.startsWith('./') ? load(id.slice('./'.length)) : require(id));

  function load(name) {
    const existing = loaded.get(name);
    if (existing !== undefined) return existing.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const filename = path.join(__dirname, name);
    const script = new vm.Script(wrap(readFileSync(filename, 'utf8')), {
      filename,
      cachedData: readFileSync(filename + cacheEnding),
    });
    const values = [module.exports, requirePart, module, filename, __dirname, importModule];
    script.runInThisContext().apply(module.exports, values);
    return module.exports;
  }

  load(program);
}

/** Adds no line, so that the positions in stack traces are those of the file. */
function wrap(code) {
  return `(function (${PARAMETERS}) {${code}\n})`;
}

module.exports = { run, wrap };
