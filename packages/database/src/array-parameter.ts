type Value = string | number | boolean | Date | Buffer | null;

const NEEDS_ESCAPE = /["\\]/g;

/**
 * A column of values as the text of a PostgreSQL array, for `unnest($1::text[], …)`. Null stands for
 * a column of nulls, whatever its length: `unnest` fills it up beside the others.
 *
 * `pg` would do the same at several times the cost, which every accepted message pays per column.
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

/** Reads the columns of a statement's input out of its rows. */
export function columnsOf<Row>(rows: readonly Row[]): (read: (row: Row) => Value) => string | null {
  return (read) => toArrayParameter(rows.map(read));
}

function toText(value: Date | Buffer): string {
  return value instanceof Date ? value.toISOString() : `\\\\x${value.toString('hex')}`;
}
