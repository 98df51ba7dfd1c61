type Value = string | number | boolean | Date | Buffer | null;

const NEEDS_ESCAPE = /["\\]/g;

/**
 * Returns a column of values as the text of a PostgreSQL array, for `unnest($1::text[], …)`. Returns
 * null for a column of nulls of any length: `unnest` pads it to the length of the other columns.
 *
 * `pg` does the same at several times the cost, which every accepted message would pay per column.
 */
export function toArrayParameter(values: readonly Value[]): string | null {
  let isEmpty = true;
  let list = '';
  for (const value of values) {
    if (list !== '') list += ',';
    if (value === null) {
      list += 'NULL';
      continue;
    }
    isEmpty = false;
    if (typeof value === 'string') list += `"${value.replace(NEEDS_ESCAPE, '\\$&')}"`;
    else if (typeof value === 'object') list += `"${toText(value)}"`;
    else list += String(value);
  }
  return isEmpty ? null : `{${list}}`;
}

/** Returns a function that reads one column of the rows as an array parameter. */
export function columnsOf<Row>(rows: readonly Row[]): (read: (row: Row) => Value) => string | null {
  return (read) => toArrayParameter(rows.map(read));
}

function toText(value: Date | Buffer): string {
  return value instanceof Date ? value.toISOString() : `\\\\x${value.toString('hex')}`;
}

/**
 * Returns an array parameter of a prepared statement as SQL whose length PostgreSQL does not see when it
 * plans. Otherwise a plan for one value looks so much cheaper than the plan for any number of them that
 * PostgreSQL plans the statement again at each execution, which costs more than the execution.
 */
export function anyLength(parameter: string, type: string): string {
  return `(SELECT ${parameter}::${type}[])::${type}[]`;
}
