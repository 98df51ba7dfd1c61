import { numberParameters } from '@switchboard/postgres';
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

/**
 * Returns a text with its parameters, which it has as `:name`, and their values, as `runStatement` takes them. The text may
 * be composed when it runs; a value that it does not use is left out.
 *
 * @throws Error if a parameter has no value
 */
export function named(
  text: string,
  values: Readonly<Record<string, unknown>>,
): [text: string, values: unknown[]] {
  const { numbered, names } = numberParameters(text);
  const missing = names.filter((name) => !(name in values));
  if (missing.length > 0) throw new Error(`parameters without a value: ${missing.join(', ')}`);
  return [numbered, names.map((name) => values[name])];
}

/** Adds a value to a statement and returns its parameter. */
export type Bind = (value: unknown) => string;

/** Creates the parameters of a statement that depends on a filter: those in `given`, and those that its parts bind. */
export function createParameters(given: Readonly<Record<string, unknown>>) {
  const values = { ...given };
  let bound = 0;
  const bind: Bind = (value) => {
    const name = `value${(bound += 1)}`;
    values[name] = value;
    return `:${name}`;
  };
  return { bind, toQuery: (text: string) => named(text, values) };
}

/** A prepared statement whose parameters have names. */
export interface Query<Name extends string> extends Prepared {
  toValues(values: Readonly<Record<Name, unknown>>): unknown[];
}

/**
 * Defines a prepared statement whose text has its parameters as `:name`, when the module is loaded.
 *
 * @throws Error if the text has other parameters than `given`
 */
export function defineQuery<Name extends string>(
  statement: Prepared,
  given: readonly Name[],
): Query<Name> {
  const { numbered, names } = numberParameters(statement.text);
  const wrong = [
    ...names.filter((name) => !(given as readonly string[]).includes(name)),
    ...given.filter((name) => !names.includes(name)),
  ];
  if (wrong.length > 0) throw new Error(`parameters of ${statement.name}: ${wrong.join(', ')}`);
  return {
    ...statement,
    text: numbered,
    toValues: (values) => names.map((name) => values[name as Name]),
  };
}

/** A prepared statement that is given rows. */
export interface Statement<Row, Name extends string> extends Prepared {
  toValues(rows: readonly Row[], values: Readonly<Record<Name, unknown>>): unknown[];
}

/** Defines a prepared statement that is given rows, as `defineQuery` does. */
export function defineStatement<Row, Name extends string>(
  statement: Prepared,
  { rows, values }: { rows: InputRows<Row>; values: readonly Name[] },
): Statement<Row, Name> {
  const query = defineQuery<string>(statement, [...rows.names, ...values]);
  return {
    ...query,
    toValues: (items, others) => query.toValues({ ...rows.valuesOf(items), ...others }),
  };
}
