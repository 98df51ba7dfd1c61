import { type Choice, SOURCES, chooseIndexes, chooseNumbers } from './choose-indexes.ts';
import type { TimeRange } from '../rows/day-range.ts';
import { COLUMNS, FIELDS, type Field, readValues } from './filter-columns.ts';
import type { MessageFilter } from './message-filter.ts';
import { firstIdOf } from '../rows/id-range.ts';
import { type Bind } from '../../named-statement.ts';

export function timeRangeOf({ after, before }: MessageFilter): TimeRange {
  return { from: after ? after.getTime() + 1 : null, to: before?.getTime() ?? null };
}

/** The messages of a workspace that match, as parts of a statement. */
export interface Match {
  /** The part before `LATERAL`, with a row for each range of an index; empty for one range. */
  kinds: string;
  /** The table of the messages `m`, and the conditions on them. */
  from: string;
  /** Whether the index is not ordered by id. */
  isUnordered: boolean;
}

/** The ids to which a statement is limited. Default: all. */
export interface IdBounds {
  /** Exclusive. */
  beforeId?: string | null;
  /** A table of the statement with ranges of ids, from `from` (inclusive) to `to` (exclusive). */
  within?: string;
}

/**
 * Returns the parts to read separately. No message is in more than one part.
 *
 * @param bind of a statement with the parameter `workspaceId`
 */
export function matchMessages(
  filter: MessageFilter,
  range: TimeRange,
  bind: Bind,
  bounds: IdBounds = {},
): Match[] {
  return toMatches(chooseIndexes(filter), false, range, bounds, bind);
}

/**
 * Returns whether the filter has a country code, and neither a number nor an error code nor a reference, which would
 * select fewer messages.
 */
export function hasCountry(filter: MessageFilter): boolean {
  const { countryCode, errorCode, reference } = filter;
  return countryCode !== undefined && (errorCode ?? reference) === undefined && !hasNumber(filter);
}

/**
 * Returns the parts that read the index of numbers, for a filter that `hasCountry`. There, the messages of a
 * country are not in id order.
 */
export function matchAllOfCountry(
  filter: MessageFilter,
  range: TimeRange,
  bind: Bind,
  bounds: IdBounds = {},
): Match[] {
  return toMatches(chooseNumbers(filter), true, range, bounds, bind);
}

function toMatches(
  choices: readonly Choice[],
  isUnordered: boolean,
  range: TimeRange,
  bounds: IdBounds,
  bind: Bind,
): Match[] {
  const inBounds = ['m.workspace_id = :workspaceId::uuid', ...matchBounds(range, bounds, bind)];
  const within = bounds.within === undefined ? [] : [`${bounds.within},`];
  return choices.map(({ source, direction, indexed, values }) => {
    const conditions = FIELDS.flatMap((field) => {
      const given = values[field];
      return given === undefined ? [] : matchValues(field, given, bind, indexed.includes(field));
    });
    const kinds = indexed.map(
      (field) =>
        `unnest(${valuesOf(field, values[field], bind)}) AS ${COLUMNS[field].alias} (value),`,
    );
    const inIndex = direction === undefined ? [] : [`m.direction = '${direction}'`];
    const where = [...inBounds, ...inIndex, ...conditions].join(' AND ');
    return {
      kinds: [...within, ...kinds].join(' '),
      from: `${SOURCES[source]} m WHERE ${where}`,
      isUnordered,
    };
  });
}

/** Returns one condition for all filters but the search, for messages that another index has found. */
export function matchFilters(filter: MessageFilter, bind: Bind): string {
  const values = readValues(filter);
  const conditions = [
    ...FIELDS.flatMap((field) => {
      const given = values[field];
      return given === undefined ? [] : matchValues(field, given, bind, false);
    }),
    ...matchRange(timeRangeOf(filter), bind),
  ];
  return conditions.length === 0 ? 'true' : unindexed(conditions.join(' AND '));
}

/** `created_at` is the time in the id, so these are bounds of the indexes on the id. */
function matchRange({ from, to }: TimeRange, bind: Bind): string[] {
  return [
    ...(from === null ? [] : [`m.id >= ${bind(firstIdOf(new Date(from)))}::uuid`]),
    ...(to === null ? [] : [`m.id < ${bind(firstIdOf(new Date(to)))}::uuid`]),
  ];
}

function matchBounds(range: TimeRange, { beforeId, within }: IdBounds, bind: Bind): string[] {
  return [
    ...matchRange(range, bind),
    ...(beforeId == null ? [] : [`m.id < ${bind(beforeId)}::uuid`]),
    ...(within === undefined ? [] : [`m.id >= ${within}."from" AND m.id < ${within}."to"`]),
  ];
}

/** Returns the conditions on a column, either with the values of its index or with all values. */
function matchValues(
  field: Field,
  given: readonly string[],
  bind: Bind,
  isIndexed: boolean,
): string[] {
  const { column, alias, type, also, operator = '=', toIndexed } = COLUMNS[field];
  const further = typeof also === 'function' ? also(`${bind(given)}::${type}[]`) : also;
  const matches = isIndexed
    ? (toIndexed?.(`${alias}.value`) ?? `${column} = ${alias}.value`)
    : unindexed(`${column} ${operator} ANY(${valuesOf(field, given, bind)})`);
  return further === undefined ? [matches] : [further, matches];
}

/** Returns the values of a column as an array in SQL. */
export function valuesOf(field: Field, given: readonly string[] | undefined, bind: Bind): string {
  const { type, toValues = (array: string) => array } = COLUMNS[field];
  return toValues(`${bind(given)}::${type}[]`);
}

/** No index supports a condition in this form, so PostgreSQL uses the chosen one, whatever its statistics are. */
function unindexed(condition: string): string {
  return `(${condition}) IS TRUE`;
}

function hasNumber({ from, to }: MessageFilter): boolean {
  return from !== undefined || to !== undefined;
}

/**
 * Returns whether the messages of this filter must be counted row by row, because the stored daily
 * counts do not cover it.
 */
export function isCountedByRow(filter: MessageFilter): boolean {
  const { errorCode, sentBy, provider, countryCode, reference } = filter;
  return hasNumber(filter) || [errorCode, sentBy, provider, countryCode, reference].some(Boolean);
}
