/**
 * Finds import cycles. Imports of types count too, because files that need each other's types cannot be
 * read one after another. The linter's `import/no-cycle` ignores them.
 *
 * @param {Map<string, string[]>} imports the files that each file imports
 * @returns {string[][]} the files of each cycle, in the order in which they import each other
 */
export function findImportCycles(imports) {
  const cycles = [];
  const visited = new Set();

  function visit(file, trail) {
    const start = trail.indexOf(file);
    if (start !== -1) {
      cycles.push(trail.slice(start));
    } else if (!visited.has(file)) {
      visited.add(file);
      for (const target of imports.get(file) ?? []) visit(target, [...trail, file]);
    }
  }

  for (const file of imports.keys()) visit(file, []);
  return cycles;
}
