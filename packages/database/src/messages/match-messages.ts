import { type Direction, MESSAGE_STATUSES } from '@switchboard/core';
import type { TimeRange } from './day-range.ts';
import { firstIdOf } from './id-range.ts';
import type { MessageFilter } from './message-filter.ts';

/** Adds a value to a statement's and returns its placeholder. */
export type Bind = (value: unknown) => string;

const DIRECTIONS: readonly Direction[] = ['inbound', 'outbound'];

/** Messages of a workspace that match, as a statement reads them. */
export interface Match {
  /** What comes before `lateral`; empty where no index begins with direction and status. */
  kinds: string;
  where: string;
}

/**
 * The indexes on numbers have direction and status before the id, and so has the one without a
 * number. Reading each direction and status apart, at most twenty, gives every filter the end of an
 * index to read from, in the order of the ids: what is rare is not looked for among what is not.
 *
 * @param bind of the statement, whose first value is the workspace
 * @returns what is to be read apart; nothing is in two of them
 */
export function matchMessages(filter: MessageFilter, range: TimeRange, bind: Bind): Match[] {
  const where = ['m.workspace_id = $1::uuid'];
  // `created_at` is the time inside the id, so the bounds are bounds of the indexes on id.
  if (range.from !== null) where.push(`m.id >= ${bind(firstIdOf(new Date(range.from)))}::uuid`);
  if (range.to !== null) where.push(`m.id < ${bind(firstIdOf(new Date(range.to)))}::uuid`);
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
  // Our own number has a large part of all messages, the other party's has few. No index can answer
  // the question of our own in this form, which leaves the other's whatever the statistics say.
  return directions.map((direction) =>
    match([direction], direction === 'outbound' ? [unindexed(from), to] : [from, unindexed(to)]),
  );
}

function unindexed(condition: string): string {
  return `(${condition}) IS TRUE`;
}

function hasKind({ direction, status }: MessageFilter): boolean {
  return direction !== undefined || status !== undefined;
}

export function hasNumber({ from, to }: MessageFilter): boolean {
  return from !== undefined || to !== undefined;
}
