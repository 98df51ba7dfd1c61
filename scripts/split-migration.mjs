/**
 * Splits the SQL of a schema change into migrations. The first has all statements that can share a
 * transaction. Each index on an existing table follows, built CONCURRENTLY so that writers do not wait.
 * @param {string} sql the output of the schema engine: statements separated by empty lines
 * @returns {{ suffix: string, sql: string }[]} `suffix` distinguishes the names
 */
export function splitMigration(sql) {
  const statements = sql.trim().split(/\n{2,}/);
  const created = new Set(
    statements.flatMap((statement) => /^CREATE TABLE ("[^"]+")/m.exec(statement)?.[1] ?? []),
  );
  const indexes = [];
  const others = [];
  for (const statement of statements) {
    const index = /^(CREATE (?:UNIQUE )?INDEX) "([^"]+)" ON ("[^"]+")/m.exec(statement);
    if (index === null || created.has(index[3])) others.push(statement);
    else {
      const concurrent = statement.replace(index[1], `${index[1]} CONCURRENTLY`);
      indexes.push({ suffix: `_${index[2]}`, sql: `${concurrent}\n` });
    }
  }
  const rest = others.length === 0 ? [] : [{ suffix: '', sql: `${others.join('\n\n')}\n` }];
  return [...rest, ...indexes];
}
