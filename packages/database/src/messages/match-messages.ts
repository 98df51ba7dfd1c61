import { type Direction, MESSAGE_STATUSES, type MessageStatus } from '@switchboard/core';
import type { TimeRange } from './day-range.ts';
import { firstIdOf } from './id-range.ts';
import { OTHER_PARTY } from './stored-message.ts';

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
}

interface Column {
  column: string;
  type: string;
  alias: string;
  /** Default: `=`. */
  operator?: 'LIKE';
  /** A further condition: of the index, or one without which nothing is read. */
  also?: string | ((given: string) => string);
  /** Returns the array of the column's values. Default: the values of the filter. */
  toValues?(given: string): string;
}

/** `sentBy` are users and API keys, which two parts read separately as `user` and `apiKey`. */
type Field = (typeof FIELDS)[number];
const FIELDS = [
  'direction',
  'status',
  'from',
  'to',
  'errorCode',
  'sentBy',
  'user',
  'apiKey',
  'provider',
  'countryCode',
] as const;

/** The rows of the ids of a filter. */
const ownRows = (table: string, given: string): string =>
  `FROM ${table} WHERE workspace_id = $1::uuid AND id = ANY(${given})`;

const COLUMNS: Record<Field, Column> = {
  direction: { column: 'm.direction', type: 'direction', alias: 'd' },
  status: { column: 'm.status', type: 'message_status', alias: 's' },
  from: { column: 'm."from"', type: 'text', alias: 'f' },
  to: { column: 'm."to"', type: 'text', alias: 't' },
  errorCode: { column: 'm.error_code', type: 'text', alias: 'e' },
  sentBy: {
    column: 'm.sent_by_id',
    type: 'uuid',
    alias: 'b',
    also: `m.sent_by IN ('user', 'api_key')`,
  },
  user: { column: 'm.sent_by_id', type: 'uuid', alias: 'u', also: `m.sent_by = 'user'` },
  apiKey: {
    column: 'm.sent_by_id',
    type: 'uuid',
    alias: 'k',
    also: (given) => `(SELECT true ${ownRows('api_keys', given)} LIMIT 1)`,
    toValues: (given) => `ARRAY(SELECT id ${ownRows('api_keys', given)})`,
  },
  provider: {
    column: 'm.provider_account',
    type: 'uuid',
    alias: 'p',
    // A message has the provider's identifier of the account, which stays when the account is removed.
    toValues: (given) => `ARRAY(SELECT account_sid ${ownRows('provider_accounts', given)})`,
  },
  countryCode: {
    column: OTHER_PARTY,
    type: 'text',
    alias: 'c',
    operator: 'LIKE',
    // No country code is the beginning of another one.
    toValues: (given) => `ARRAY(SELECT '+' || code || '%' FROM unnest(${given}) AS code)`,
  },
};

type Values = Partial<Record<Field, readonly string[]>>;

/**
 * Returns the parts to read separately. No message is in two of them.
 *
 * Each part reads one index, whose columns before the id are given a value each: the direction, the status
 * and a number, or an error code, or a user. So these filters read from the end of an index in the order
 * of the ids, and rare messages are found without a scan of frequent ones. Provider accounts and API keys have
 * no such index, because every change of a message would write to it. They are in the entries of the index
 * of directions and statuses, which is then read without the messages.
 *
 * @param bind of the statement whose first value is the workspace
 * @param beforeId only messages with a lower id; null for all
 */
export function matchMessages(
  filter: MessageFilter,
  range: TimeRange,
  bind: Bind,
  beforeId: string | null = null,
): Match[] {
  const where = ['m.workspace_id = $1::uuid', ...matchRange(range, bind)];
  if (beforeId !== null) where.push(`m.id < ${bind(beforeId)}::uuid`);
  return chooseIndexes(filter).map(({ indexed, values }) => {
    const conditions = FIELDS.flatMap((field) => {
      const given = values[field];
      if (given === undefined) return [];
      const isIndexed = indexed.includes(field);
      return matchValues(field, given, bind, isIndexed);
    });
    const kinds = indexed.map(
      (field) =>
        `unnest(${valuesOf(field, values[field], bind)}) AS ${COLUMNS[field].alias} (value),`,
    );
    return { kinds: kinds.join(' '), where: [...where, ...conditions].join(' AND ') };
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

/** Returns the conditions on a column, either with the values of its index or with all values. */
function matchValues(
  field: Field,
  given: readonly string[],
  bind: Bind,
  isIndexed: boolean,
): string[] {
  const { column, alias, type, also, operator = '=' } = COLUMNS[field];
  const further = typeof also === 'function' ? also(`${bind(given)}::${type}[]`) : also;
  const matches = isIndexed
    ? `${column} = ${alias}.value`
    : unindexed(`${column} ${operator} ANY(${valuesOf(field, given, bind)})`);
  return further === undefined ? [matches] : [further, matches];
}

/** Returns the values of a column as an array in SQL. */
function valuesOf(field: Field, given: readonly string[] | undefined, bind: Bind): string {
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
  // A user sends few of all messages, but usually more than one recipient gets.
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

/** Whether the stored daily counts do not count the messages of this filter. */
export function isCountedByRow(filter: MessageFilter): boolean {
  const { errorCode, sentBy, provider, countryCode } = filter;
  return hasNumber(filter) || [errorCode, sentBy, provider, countryCode].some(Boolean);
}
