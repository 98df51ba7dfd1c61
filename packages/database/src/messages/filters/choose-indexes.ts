import { type Direction, MESSAGE_STATUSES } from '@switchboard/core';
import { type Field, type Values, readValues } from './filter-columns.ts';
import type { MessageFilter } from './message-filter.ts';

/**
 * The tables in which a filter finds messages. What changes with a message is in the indexes of `message_records`
 * when the message is finished, and until then in `message_progress`.
 */
export const SOURCES = {
  all: 'messages',
  finished: 'message_records',
  // PostgreSQL leaves out the join, except for a filter by references or by senders of both kinds.
  inProgress: `(
    SELECT p.workspace_id, p.id, 'outbound'::direction AS direction, p.status, p."from", p."to",
      p."to" AS counterpart, p.error_code, p.provider_id, p.sent_by_id, r.sent_by, r.reference
    FROM message_progress p LEFT JOIN message_records r USING (workspace_id, id))`,
};

/** An index that finds messages, with the fields whose values select its ranges, and the values of all fields. */
export interface Choice {
  source: keyof typeof SOURCES;
  /** The direction by which the index finds messages. */
  direction?: Direction;
  indexed: Field[];
  values: Values;
}

/**
 * Each choice reads one index and sets each column in front of the id to one value: the direction, the
 * status and the workspace's own number, or the number outside, or an error code, or a user. So these filters read from
 * the end of an index in id order, and find rare messages without a scan of frequent ones. Provider accounts, API keys
 * and countries have no such index. Instead, the index of directions and statuses includes these columns, and an
 * index-only scan filters by them.
 */
export function chooseIndexes(filter: MessageFilter): Choice[] {
  const values = readValues(filter);
  // The indexes of error codes have only messages with an error, which are few.
  if (filter.errorCode) return inBoth({ indexed: ['errorCode'], values }, ['errorCode']);
  // A reference may name an order or a campaign: to one number, there are fewer messages. Received ones have none.
  if (filter.reference !== undefined) {
    return filter.to && filter.direction !== 'inbound'
      ? chooseInDirection('outbound', values)
      : [{ source: 'all', indexed: ['reference'], values }];
  }
  const { sentBy, ...others } = values;
  if (sentBy === undefined || filter.to) return chooseByNumber(filter, values);
  // A user sends only a small share of the messages, but usually more than one recipient receives.
  const byUser = {
    source: 'all' as const,
    indexed: ['user' as const],
    values: { ...others, user: sentBy },
  };
  if (filter.direction === 'inbound') return [byUser];
  const byKey = { ...others, apiKey: sentBy };
  return [byUser, ...chooseByNumber({ ...filter, direction: 'outbound' }, byKey)];
}

/** Chooses the index of the numbers of countries. */
export function chooseNumbers(filter: MessageFilter): Choice[] {
  const { countryCode = [], ...others } = readValues(filter);
  return [{ source: 'all', indexed: ['country'], values: { ...others, country: countryCode } }];
}

function chooseByNumber(filter: MessageFilter, values: Values): Choice[] {
  const isAny = [
    filter.direction,
    filter.status,
    filter.provider,
    filter.from,
    filter.to,
    values.apiKey,
  ].every((value) => value === undefined);
  if (isAny) return [{ source: 'all', indexed: [], values }];
  const directions = filter.direction === undefined ? DIRECTIONS : [filter.direction];
  return directions.flatMap((direction) => chooseInDirection(direction, values));
}

const DIRECTIONS: readonly Direction[] = ['inbound', 'outbound'];

function chooseInDirection(direction: Direction, given: Values): Choice[] {
  const { direction: _, ...values } = given;
  const [outside, own] =
    direction === 'outbound' ? (['to', 'from'] as const) : (['from', 'to'] as const);
  const { [outside]: counterpart, ...others } = values;
  // The workspace's own number occurs in many messages, the other party's number in few.
  if (counterpart !== undefined) {
    return [
      { source: 'all', direction, indexed: ['counterpart'], values: { ...others, counterpart } },
    ];
  }
  const number = values[own] === undefined ? [] : [own];
  return inBoth(
    { direction, indexed: ['status', ...number], values: { status: MESSAGE_STATUSES, ...values } },
    ['status'],
  );
}

/** Chooses an index of finished messages, and one of those in progress, all of which are sent. */
function inBoth(finished: Omit<Choice, 'source'>, inProgress: Field[]): Choice[] {
  const { direction, values } = finished;
  const isReceived = direction === 'inbound' || values.direction?.[0] === 'inbound';
  return [
    { source: 'finished', ...finished },
    ...(isReceived ? [] : [{ source: 'inProgress' as const, indexed: inProgress, values }]),
  ];
}
