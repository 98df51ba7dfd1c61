import { anyLength, columnsOf } from './array-parameter.ts';
import type { Prepared } from './run-statement.ts';

type Value = string | number | boolean | Date | Buffer | null;

/** A column of the rows that a statement is given: its SQL type, and its value in a row. */
type Column<Row> = readonly [type: string, read: (row: Row) => Value];

export type Columns<Row> = Readonly<Record<string, Column<Row>>>;

/** Rows that a statement is given as one array for each column. */
export interface InputRows<Row> {
  /** A FROM item with the rows, whose columns have the names of the parameters. */
  unnest: string;
  names: readonly string[];
  valuesOf(rows: readonly Row[]): Record<string, string | null>;
}

/**
 * Defines rows by their columns, so that the name, the type and the value of a column stand together. With
 * `isAnyLength`, PostgreSQL does not plan for their number (see `anyLength`).
 */
export function defineRows<Row>(
  alias: string,
  columns: Columns<Row>,
  { isAnyLength = false } = {},
): InputRows<Row> {
  const entries = Object.entries(columns).map(
    ([name, [type, read]]) => ({ name, type, read, parameter: `${alias}_${name}` }) as const,
  );
  const arrays = entries.map(({ parameter, type }) =>
    isAnyLength ? anyLength(`:${parameter}`, type) : `:${parameter}::${type}[]`,
  );
  return {
    unnest: `unnest(${arrays.join(', ')}) AS ${alias}(${entries.map(({ name }) => `"${name}"`).join(', ')})`,
    names: entries.map(({ parameter }) => parameter),
    valuesOf(rows) {
      const column = columnsOf(rows);
      return Object.fromEntries(entries.map(({ parameter, read }) => [parameter, column(read)]));
    },
  };
}

/** A statement whose parameters have names. */
export interface Statement<Row, Name extends string> extends Prepared {
  toValues(rows: readonly Row[], values: Readonly<Record<Name, unknown>>): unknown[];
}

/**
 * Defines a statement whose text has its parameters as `:name`, when the module is loaded.
 *
 * @throws Error if the text has other parameters than `rows` and `values`
 */
export function defineStatement<Row, Name extends string>(
  statement: Prepared,
  { rows, values }: { rows: InputRows<Row>; values: readonly Name[] },
): Statement<Row, Name> {
  const names: string[] = [];
  // A name follows one colon, a type two.
  const text = statement.text.replace(/(?<!:):([a-z]\w*)/gi, (_parameter, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  const given: readonly string[] = [...rows.names, ...values];
  const wrong = [
    ...names.filter((name) => !given.includes(name)),
    ...given.filter((name) => !names.includes(name)),
  ];
  if (wrong.length > 0) throw new Error(`parameters of ${statement.name}: ${wrong.join(', ')}`);
  return {
    ...statement,
    text,
    toValues(items, others) {
      const all: Record<string, unknown> = { ...rows.valuesOf(items), ...others };
      return names.map((name) => all[name]);
    },
  };
}
