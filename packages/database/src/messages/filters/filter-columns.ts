import type { MessageFilter } from './message-filter.ts';

export interface Column {
  column: string;
  type: string;
  alias: string;
  /** Default: `=`. */
  operator?: 'LIKE';
  /** Returns the condition that an index supports for one value. Default: equality. */
  toIndexed?(value: string): string;
  /**
   * A further condition: the predicate of the index, or a condition without which nothing is read.
   */
  also?: string | ((given: string) => string);
  /** Returns the array of the column's values. Default: the values of the filter. */
  toValues?(given: string): string;
}

/**
 * The fields of a filter, and those by which an index finds messages: `sentBy` are users and API keys, which two parts
 * read separately as `user` and `apiKey`. `counterpart` is the sender of a received message and the recipient of a sent one, and
 * `country` a range of these numbers.
 */
export type Field = (typeof FIELDS)[number];
export const FIELDS = [
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
  'country',
  'reference',
  'counterpart',
] as const;

/** Selects the workspace's rows that have the ids of a filter. */
const ownRows = (table: string, given: string): string =>
  `FROM ${table} WHERE workspace_id = :workspaceId::uuid AND id = ANY(${given})`;

export const COLUMNS: Record<Field, Column> = {
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
    column: 'm.provider_id',
    type: 'uuid',
    alias: 'p',
    // A message keeps the id of an account that was removed.
    toValues: (given) => `ARRAY(SELECT id ${ownRows('provider_accounts', given)})`,
  },
  countryCode: {
    column: 'm.counterpart',
    type: 'text',
    alias: 'c',
    operator: 'LIKE',
    // No country code is a prefix of another one.
    toValues: (given) => `ARRAY(SELECT '+' || code || '%' FROM unnest(${given}) AS code)`,
  },
  country: {
    column: 'm.counterpart',
    type: 'text',
    alias: 'r',
    toValues: (given) => `ARRAY(SELECT '+' || code FROM unnest(${given}) AS code)`,
    // None of these numbers has as many digits as the end of the range.
    toIndexed: (value) => `m.counterpart BETWEEN ${value} AND ${value} || repeat('9', 20)`,
  },
  reference: { column: 'm.reference', type: 'text', alias: 'x' },
  counterpart: { column: 'm.counterpart', type: 'text', alias: 'n' },
};

/** The values of the fields that a filter has. */
export type Values = Partial<Record<Field, readonly string[]>>;

export function readValues({ direction, reference, ...lists }: MessageFilter): Values {
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
    reference: reference === undefined ? undefined : [reference],
  };
  return Object.fromEntries(Object.entries(given).filter(([, each]) => each !== undefined));
}
