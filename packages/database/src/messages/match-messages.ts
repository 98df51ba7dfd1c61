import { type Direction, MESSAGE_STATUSES, type MessageStatus } from '@switchboard/core';
import type { TimeRange } from './day-range.ts';
import { firstIdOf } from './id-range.ts';

export interface MessageFilter {
  direction?: Direction;
  status?: MessageStatus;
  from?: string;
  to?: string;
  errorCode?: string;
  /** Exclusive, milliseconds. */
  after?: Date;
  /** Exclusive, milliseconds. */
  before?: Date;
}

export function timeRangeOf({ after, before }: MessageFilter): TimeRange {
  return { from: after ? after.getTime() + 1 : null, to: before?.getTime() ?? null };
}

/** Adds a value to the parameters of a statement and returns its placeholder. */
export type Bind = (value: unknown) => string;

const DIRECTIONS: readonly Direction[] = ['inbound', 'outbound'];

/** The messages of a workspace that match, as parts of a statement. */
export interface Match {
  /** The part before `LATERAL`; empty if no index starts with direction and status. */
  kinds: string;
  where: string;
}

/**
 * Returns the parts to read separately. No message is in two of them.
 *
 * The indexes on numbers have direction and status before the id, and so has the index without a
 * number. Each direction and status is read separately, at most twenty combinations, so that every
 * filter reads from the end of an index in the order of the ids, and rare messages are found without a
 * scan of frequent ones.
 *
 * @param bind of the statement whose first value is the workspace
 */
export function matchMessages(filter: MessageFilter, range: TimeRange, bind: Bind): Match[] {
  const where = ['m.workspace_id = $1::uuid'];
  // `created_at` is the time in the id, so these are bounds of the indexes on the id.
  if (range.from !== null) where.push(`m.id >= ${bind(firstIdOf(new Date(range.from)))}::uuid`);
  if (range.to !== null) where.push(`m.id < ${bind(firstIdOf(new Date(range.to)))}::uuid`);
  if (filter.errorCode !== undefined) {
    where.push(...matchErrorCode(filter, filter.errorCode, bind));
    return [{ kinds: '', where: where.join(' AND ') }];
  }
  if (!hasKind(filter) && !hasNumber(filter)) return [{ kinds: '', where: where.join(' AND ') }];

  where.push('m.direction = d.direction', 'm.status = s.status');
  const from = filter.from === undefined ? null : `m."from" = ${bind(filter.from)}`;
  const to = filter.to === undefined ? null : `m."to" = ${bind(filter.to)}`;
  const statuses = bind(filter.status ? [filter.status] : MESSAGE_STATUSES);
  const match = (directions: readonly Direction[], numbers: readonly (string | null)[]): Match => ({
    kinds: `unnest(${bind(directions)}::direction[]) AS d (direction),
      unnest(${statuses}::message_status[]) AS s (status),`,
    where: [...where, ...numbers.filter((number) => number !== null)].join(' AND '),
  });
  const directions = filter.direction ? [filter.direction] : DIRECTIONS;
  if (from === null || to === null) return [match(directions, [from, to])];
  // The workspace's own number has many of all messages, the other party's number has few. No index
  // supports the condition on the own number in this form, so PostgreSQL uses the other one, whatever
  // its statistics are.
  return directions.map((direction) =>
    match([direction], direction === 'outbound' ? [unindexed(from), to] : [from, unindexed(to)]),
  );
}

/** The index of error codes has only messages with an error, which are few. */
function matchErrorCode(filter: MessageFilter, errorCode: string, bind: Bind): string[] {
  const { direction, status, from, to } = filter;
  return [
    `m.error_code = ${bind(errorCode)}`,
    ...(direction === undefined ? [] : [unindexed(`m.direction = ${bind(direction)}::direction`)]),
    ...(status === undefined ? [] : [unindexed(`m.status = ${bind(status)}::message_status`)]),
    ...(from === undefined ? [] : [unindexed(`m."from" = ${bind(from)}`)]),
    ...(to === undefined ? [] : [unindexed(`m."to" = ${bind(to)}`)]),
  ];
}

function unindexed(condition: string): string {
  return `(${condition}) IS TRUE`;
}

function hasKind({ direction, status }: MessageFilter): boolean {
  return direction !== undefined || status !== undefined;
}

function hasNumber({ from, to }: MessageFilter): boolean {
  return from !== undefined || to !== undefined;
}

/** Whether the stored daily counts do not count the messages of this filter. */
export function isCountedByRow(filter: MessageFilter): boolean {
  return hasNumber(filter) || filter.errorCode !== undefined;
}
