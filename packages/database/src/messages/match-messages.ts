import { type Direction, MESSAGE_STATUSES, type MessageStatus } from '@switchboard/core';
import type { TimeRange } from './day-range.ts';
import { COLUMNS, FIELDS, type Field, type Values } from './filter-columns.ts';
import { firstIdOf } from './id-range.ts';

/** A message matches if it has one of the values of every filter. No filter is an empty list. */
export interface MessageFilter {
  direction?: Direction;
  status?: readonly MessageStatus[];
  from?: readonly string[];
  to?: readonly string[];
  errorCode?: readonly string[];
  /** Ids of users and of API keys. */
  sentBy?: readonly string[];
  /** Ids of provider accounts. */
  provider?: readonly string[];
  /** Country codes of the number outside the workspace, without the plus sign. */
  countryCode?: readonly string[];
  /** Exclusive, milliseconds. */
  after?: Date;
  /** Exclusive, milliseconds. */
  before?: Date;
  /** Words from texts or contacts, or part of a number. Only `list-found.ts` reads it. */
  search?: string;
}

export function timeRangeOf({ after, before }: MessageFilter): TimeRange {
  return { from: after ? after.getTime() + 1 : null, to: before?.getTime() ?? null };
}

/** Adds a value to the parameters of a statement and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** The messages of a workspace that match, as parts of a statement. */
export interface Match {
  /** The part before `LATERAL`, with a row for each range of an index; empty for one range. */
  kinds: string;
  where: string;
  /** A condition on columns that the index does not include, for the messages that it finds. */
  rowWhere?: string;
  /** Whether the index is not ordered by id. */
  isUnordered: boolean;
}

/**
 * Returns the table of a part's messages, `m`, and its conditions, in id order if the index is. PostgreSQL first finds the
 * ids in the index alone, and then reads their messages, if there is a condition on these.
 */
export function matching({ where, rowWhere, isUnordered }: Match): string {
  if (rowWhere === undefined) return `messages m WHERE ${where}`;
  const order = isUnordered ? '' : 'ORDER BY m.id DESC';
  return `(SELECT m.id FROM messages m WHERE ${where} ${order} OFFSET 0) indexed
    CROSS JOIN LATERAL (SELECT m.id FROM messages m 
      WHERE m.workspace_id = $1::uuid AND m.id = indexed.id AND ${rowWhere} OFFSET 0) m`;
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
 * Each part reads one index and sets each column in front of the id to one value: the direction, the
 * status and a number, or an error code, or a user. So these filters read from the end of an index in id
 * order, and find rare messages without a scan of frequent ones. Provider accounts and API keys have no such
 * index, because every change to a message would write to it. Instead, the index of directions and statuses
 * includes these columns, and an index-only scan filters by them.
 *
 * @param bind of the statement whose first value is the workspace
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
 * Returns whether the filter has a country code, and neither a number nor an error code, which would select
 * fewer messages.
 */
export function hasCountry(filter: MessageFilter): boolean {
  const { countryCode, errorCode } = filter;
  return countryCode !== undefined && errorCode === undefined && !hasNumber(filter);
}

/**
 * Returns the parts that read the indexes of numbers, for a filter that `hasCountry`. There, the messages of a
 * country are not in id order.
 */
export function matchAllOfCountry(
  filter: MessageFilter,
  range: TimeRange,
  bind: Bind,
  bounds: IdBounds = {},
): Match[] {
  const { countryCode, ...others } = readValues(filter);
  const { direction = filter.sentBy ? ['outbound'] : DIRECTIONS } = others;
  const choices = direction.map((one): Choice => {
    const field = one === 'inbound' ? 'fromCountry' : 'toCountry';
    return { indexed: [field], values: { ...others, direction: [one], [field]: countryCode } };
  });
  return toMatches(choices, true, range, bounds, bind);
}

function toMatches(
  choices: readonly Choice[],
  isUnordered: boolean,
  range: TimeRange,
  bounds: IdBounds,
  bind: Bind,
): Match[] {
  const where = ['m.workspace_id = $1::uuid', ...matchBounds(range, bounds, bind)];
  const within = bounds.within === undefined ? [] : [`${bounds.within},`];
  return choices.map(({ indexed, values }) => {
    const match = (field: Field): string[] => {
      const given = values[field];
      return given === undefined ? [] : matchValues(field, given, bind, indexed.includes(field));
    };
    const isRowField = (field: Field) =>
      field === 'countryCode' && isFilteredByHistoryIndex(values, indexed);
    const conditions = FIELDS.filter((field) => !isRowField(field)).flatMap(match);
    const rowConditions = FIELDS.filter(isRowField).flatMap(match);
    const kinds = indexed.map(
      (field) =>
        `unnest(${valuesOf(field, values[field], bind)}) AS ${COLUMNS[field].alias} (value),`,
    );
    return {
      kinds: [...within, ...kinds].join(' '),
      where: [...where, ...conditions].join(' AND '),
      ...(rowConditions.length > 0 && { rowWhere: rowConditions.join(' AND ') }),
      isUnordered,
    };
  });
}

/** The index of directions and statuses includes these columns: without a further one, its scan reads no messages. */
function isFilteredByHistoryIndex(
  { apiKey, provider }: Values,
  indexed: readonly Field[],
): boolean {
  return (apiKey ?? provider) !== undefined && indexed.join() === 'direction,status';
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

/** The fields whose values select the ranges of an index, and the values of all fields. */
interface Choice {
  indexed: Field[];
  values: Values;
}

function readValues({ direction, ...lists }: MessageFilter): Values {
  const { status, from, to, errorCode, sentBy, provider, countryCode } = lists;
  const given = {
    direction: direction && [direction],
    status,
    from,
    to,
    errorCode,
    sentBy,
    provider,
    countryCode,
  };
  return Object.fromEntries(Object.entries(given).filter(([, each]) => each !== undefined));
}

function chooseIndexes(filter: MessageFilter): Choice[] {
  const values = readValues(filter);
  // The index of error codes has only messages with an error, which are few.
  if (filter.errorCode) return [{ indexed: ['errorCode'], values }];
  const { sentBy, ...others } = values;
  if (sentBy === undefined || filter.to) return chooseByNumber(filter, values);
  // A user sends only a small share of the messages, but usually more than one recipient receives.
  return [
    { indexed: ['user'], values: { ...others, user: sentBy } },
    ...chooseByNumber(filter, { direction: ['outbound'], ...others, apiKey: sentBy }),
  ];
}

function chooseByNumber(filter: MessageFilter, values: Values): Choice[] {
  const isAny = !values.direction && !values.status && !values.provider && !hasNumber(filter);
  if (isAny) return [{ indexed: [], values }];
  const all = { direction: DIRECTIONS, status: MESSAGE_STATUSES, ...values };
  if (!filter.from || !filter.to) {
    const number = filter.from ? ['from' as const] : filter.to ? ['to' as const] : [];
    return [{ indexed: ['direction', 'status', ...number], values: all }];
  }
  // The workspace's own number occurs in many messages, the other party's number in few.
  return all.direction.map((one) => ({
    indexed: ['direction', 'status', one === 'outbound' ? 'to' : 'from'],
    values: { ...all, direction: [one] },
  }));
}

const DIRECTIONS: readonly Direction[] = ['inbound', 'outbound'];

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
  const { errorCode, sentBy, provider, countryCode } = filter;
  return hasNumber(filter) || [errorCode, sentBy, provider, countryCode].some(Boolean);
}
