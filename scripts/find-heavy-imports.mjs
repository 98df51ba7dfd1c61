// Finds libraries that a vendor's description would load. Used by `check-boundaries.mjs`.
import path from 'node:path';

const FOLDER = 'packages/providers/src';

/**
 * What may be reached from the two lists. `contracts` and the settings read the descriptions; the dashboard
 * reads only the forms, where package.json replaces `#vendor/…`.
 */
const LISTS = [
  { list: `${FOLDER}/vendors.ts`, vendor: 'vendor.ts', libraries: ['zod', '@switchboard/core'] },
  { list: `${FOLDER}/forms.ts`, vendor: 'form.ts', libraries: [] },
];

/**
 * @param {Map<string, { module: object }>} files the parsed files of packages/providers
 * @returns {string[]} the problems
 */
export function findHeavyImports(files) {
  return LISTS.flatMap(({ list, vendor, libraries }) => {
    const problems = [];
    const visited = new Set();
    visit(list);
    return problems;

    function visit(file) {
      const parsed = files.get(file);
      if (parsed === undefined || visited.has(file)) return;
      visited.add(file);
      for (const name of listLoaded(parsed.module)) {
        const target = resolve(file, name, vendor);
        if (target !== null) visit(target);
        else if (!libraries.includes(name)) {
          problems.push(
            `${file}: imports ${name}, which ${path.posix.basename(list)} must not load`,
          );
        }
      }
    }
  });
}

/** Returns the modules that are loaded together with a module: neither types nor dynamic imports. */
function listLoaded({ staticImports, staticExports }) {
  const isLoaded = ({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType);
  return [
    ...staticImports.filter(isLoaded).map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest && !isType ? [moduleRequest.value] : [],
      ),
    ),
  ];
}

function resolve(file, name, vendor) {
  const [, kind, folder] = /^#(vendor|texts)\/(.+)$/.exec(name) ?? [];
  if (kind !== undefined) {
    return `${FOLDER}/${folder}/${kind === 'vendor' ? vendor : 'texts.en.ts'}`;
  }
  return name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : null;
}
