import { type Direction, MESSAGE_STATUSES, type MessageStatus } from '@switchboard/core';
import type { TimeRange } from './day-range.ts';
import { firstIdOf } from './id-range.ts';

/** A message matches if it has one of the values of every filter. No filter is an empty list. */
export interface MessageFilter {
  direction?: Direction;
  status?: readonly MessageStatus[];
  from?: readonly string[];
  to?: readonly string[];
  errorCode?: readonly string[];
  /** Ids of users. Messages of API keys have no index: every message would pay for it. */
  sentBy?: readonly string[];
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

type Field = 'direction' | 'status' | 'from' | 'to' | 'errorCode' | 'sentBy';

/** The column of each filter, its type, the alias of its values, and the condition of its index. */
const COLUMNS: Record<Field, { column: string; type: string; alias: string; also?: string }> = {
  direction: { column: 'm.direction', type: 'direction', alias: 'd' },
  status: { column: 'm.status', type: 'message_status', alias: 's' },
  from: { column: 'm."from"', type: 'text', alias: 'f' },
  to: { column: 'm."to"', type: 'text', alias: 't' },
  errorCode: { column: 'm.error_code', type: 'text', alias: 'e' },
  sentBy: { column: 'm.sent_by_id', type: 'uuid', alias: 'b', also: `m.sent_by = 'user'` },
};
const FIELDS = Object.keys(COLUMNS) as Field[];

type Values = Partial<Record<Field, readonly string[]>>;

/**
 * Returns the parts to read separately. No message is in two of them.
 *
 * Each part reads one index, whose columns before the id are given a value each: the direction, the status
 * and a number, or an error code, or a sender. So every filter reads an index from its end in the
 * order of the ids, and finds rare messages without a scan of frequent ones.
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
  const where = ['m.workspace_id = $1::uuid'];
  // `created_at` is the time in the id, so these are bounds of the indexes on the id.
  if (range.from !== null) where.push(`m.id >= ${bind(firstIdOf(new Date(range.from)))}::uuid`);
  if (range.to !== null) where.push(`m.id < ${bind(firstIdOf(new Date(range.to)))}::uuid`);
  if (beforeId !== null) where.push(`m.id < ${bind(beforeId)}::uuid`);
  return chooseIndexes(filter).map(({ indexed, values }) => {
    const conditions = FIELDS.flatMap((field) => {
      const { column, type, alias, also } = COLUMNS[field];
      const given = values[field];
      if (given === undefined) return [];
      return [
        ...(also === undefined ? [] : [also]),
        indexed.includes(field)
          ? `${column} = ${alias}.value`
          : unindexed(`${column} = ANY(${bind(given)}::${type}[])`),
      ];
    });
    const kinds = indexed.map((field) => {
      const { type, alias } = COLUMNS[field];
      return `unnest(${bind(values[field])}::${type}[]) AS ${alias} (value),`;
    });
    return { kinds: kinds.join(' '), where: [...where, ...conditions].join(' AND ') };
  });
}

/** The fields whose values select the ranges of an index, and the values of all fields. */
interface Choice {
  indexed: Field[];
  values: Values;
}

function chooseIndexes(filter: MessageFilter): Choice[] {
  const { direction, ...lists } = filter;
  const values: Values = {
    ...(direction && { direction: [direction] }),
    ...pick(lists, ['status', 'from', 'to', 'errorCode', 'sentBy']),
  };
  // The index of error codes has only messages with an error, which are few.
  if (filter.errorCode) return [{ indexed: ['errorCode'], values }];
  // A user sends few of all messages, but usually more than one recipient gets.
  if (filter.sentBy && !filter.to) return [{ indexed: ['sentBy'], values }];
  if (!direction && !filter.status && !hasNumber(filter)) return [{ indexed: [], values }];

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

function pick<Fields extends Field>(
  filter: Partial<Record<Fields, readonly string[]>>,
  names: readonly Fields[],
): Values {
  return Object.fromEntries(
    names.flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]]])),
  );
}

/** Returns one condition for all filters but the search, for messages that another index has found. */
export function matchFilters(filter: MessageFilter, bind: Bind): string {
  const { direction, ...lists } = filter;
  const values: Values = {
    ...(direction && { direction: [direction] }),
    ...pick(lists, ['status', 'from', 'to', 'errorCode', 'sentBy']),
  };
  const { from, to } = timeRangeOf(filter);
  const conditions = FIELDS.flatMap((field) => {
    const { column, type, also } = COLUMNS[field];
    const given = values[field];
    if (given === undefined) return [];
    return [...(also === undefined ? [] : [also]), `${column} = ANY(${bind(given)}::${type}[])`];
  });
  if (from !== null) conditions.push(`m.id >= ${bind(firstIdOf(new Date(from)))}::uuid`);
  if (to !== null) conditions.push(`m.id < ${bind(firstIdOf(new Date(to)))}::uuid`);
  return conditions.length === 0 ? 'true' : unindexed(conditions.join(' AND '));
}

/** No index supports a condition in this form, so PostgreSQL uses the chosen one, whatever its statistics are. */
function unindexed(condition: string): string {
  return `(${condition}) IS TRUE`;
}

function hasNumber({ from, to }: MessageFilter): boolean {
  return from !== undefined || to !== undefined;
}

/** Whether the stored daily counts do not count the messages of this filter. */
export function isCountedByRow(filter: MessageFilter): boolean {
  return hasNumber(filter) || filter.errorCode !== undefined || filter.sentBy !== undefined;
}
