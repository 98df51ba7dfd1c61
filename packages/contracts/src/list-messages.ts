import {
  AppError,
  type Direction,
  type MessageStatus,
  type Mode,
  SEARCH_MATCHES_MAX,
  isMessageStatus,
  isUuid,
  modeOf,
  readCountryCode,
  workspaceInMode,
} from '@switchboard/core';
import { z } from 'zod';
import { FILTER_VALUES_MAX } from './limits.ts';
import { mode } from './mode.ts';
import { instant, pagingQuery, toPaging } from './query.ts';
import { reference } from './reference.ts';
import { textUpTo } from './text.ts';

/**
 * The messages that a request selects: those that match at least one value of every filter. The dates
 * are exclusive bounds.
 */
export interface HistoryFilter {
  direction?: Direction;
  status?: MessageStatus[];
  from?: string[];
  to?: string[];
  errorCode?: string[];
  /** Ids of users and of API keys. */
  sentBy?: string[];
  /** Ids of provider accounts. */
  provider?: string[];
  /** Country codes of the number outside the workspace, without the plus sign. */
  countryCode?: string[];
  reference?: string;
  after?: Date;
  before?: Date;
  /** Words from texts or contacts, or part of a number. */
  search?: string;
}

export interface HistoryQuery extends HistoryFilter {
  page: number;
  limit: number;
}

/** One or more values, separated by commas. Duplicates are dropped. */
function severalOf<Value extends string>(
  isValue: (value: string) => value is Value,
  expectation: string,
) {
  return z
    .string()
    .refine((list) => list.split(',').every(isValue), { error: expectation })
    .transform((list) => [...new Set(list.split(','))].filter(isValue))
    .refine((values) => values.length <= FILTER_VALUES_MAX, {
      error: `must have at most ${FILTER_VALUES_MAX} values`,
    });
}

const isText = (value: string): value is string => value !== '';
const isErrorCode = (value: string): value is string => value !== '' && value.length <= 64;
const isId = (value: string): value is string => isUuid(value);
const isCountryCode = (value: string): value is string =>
  readCountryCode(`+${value}00000000`) === value;
const SEPARATED = `At most ${FILTER_VALUES_MAX} values, separated by commas`;

/** Phone numbers in a query. A + that the client did not encode arrives as a space. */
const numbers = () =>
  severalOf(isText, 'must be numbers, separated by commas')
    .transform((values) => values.map((value) => value.replace(/^ /, '+')))
    .meta({ examples: ['+15551234567'] });

const modeParameter = mode
  .optional()
  .describe(
    'Lists the messages of test mode with a live key, or in the path of a live workspace. In test mode, only `test` is allowed',
  );

export const messageFilters = z.object({
  direction: z.enum(['inbound', 'outbound'], 'must be inbound or outbound').optional(),
  status: severalOf(
    isMessageStatus,
    'must be one or more message statuses, such as queued, sent, delivered or failed, separated by commas',
  )
    .optional()
    .describe(`The status. ${SEPARATED}`)
    .meta({ examples: ['failed,undelivered'] }),
  from: numbers().optional().describe(`The exact sender. ${SEPARATED}`),
  to: numbers().optional().describe(`The exact recipient. ${SEPARATED}`),
  error_code: severalOf(
    isErrorCode,
    'must be one or more error codes of at most 64 characters each, separated by commas',
  )
    .optional()
    .describe(`The exact error code. ${SEPARATED}`)
    .meta({ examples: ['30003'] }),
  sent_by: severalOf(isId, 'must be one or more ids of users or API keys, separated by commas')
    .optional()
    .describe(`The user or the API key that sent the message, by id. ${SEPARATED}`)
    .meta({ examples: ['01a1f7b3-89b6-7000-bd3d-4fb81d1bee36'] }),
  provider: severalOf(isId, 'must be one or more ids of provider accounts, separated by commas')
    .optional()
    .describe(
      `The provider account of the latest attempt, or the one that received the message, by id. ${SEPARATED}`,
    )
    .meta({ examples: ['01a1f7b3-89b6-7000-bd3d-4fb81d1bee36'] }),
  country_code: severalOf(
    isCountryCode,
    'must be one or more country codes, such as 49, separated by commas',
  )
    .optional()
    .describe(`The country code of the number outside the workspace, without +. ${SEPARATED}`)
    .meta({ examples: ['49'] }),
  reference: reference()
    .optional()
    .describe('The exact `reference` of the send. A comma is part of it'),
  startDate: instant()
    .optional()
    .describe(
      'Only messages after this instant. A time without an offset is in UTC; a date without a time means midnight',
    ),
  endDate: instant().optional().describe('Only messages before this instant'),
});

/** The filters, and a search among the messages that match them. */
export const messageSelection = messageFilters.extend({
  search: textUpTo(100)
    .refine((text) => text.trim() !== '', { error: 'must contain a word or digits' })
    .optional()
    .describe(
      'Only messages with all these words, each as the beginning of a word; messages of contacts with these words; ' +
        'and messages whose number outside the workspace ends with these digits, in any notation. In messages of the ' +
        'last few minutes and in contacts, any part of the number matches. A search finds the newest ' +
        `${SEARCH_MATCHES_MAX.toLocaleString('en')} matches: \`totalMessages\` never exceeds that number`,
    )
    .meta({ examples: ['rear brake'] }),
});

export const historyQuery = pagingQuery.extend({ ...messageSelection.shape, mode: modeParameter });

export const searchMessagesQuery = z.object({
  search: textUpTo(100)
    .optional()
    .describe(
      'Words from the text, or the last digits of a number. Without this parameter, the list is empty',
    )
    .meta({ examples: ['rear brake'] }),
  after: z
    .uuid('must be the `next` of an earlier page of this search')
    .toLowerCase()
    .optional()
    .describe('The `next` of the previous page'),
  mode: modeParameter,
});

/**
 * Returns the workspace whose messages a list shows.
 *
 * @throws AppError `invalid_params` if test mode asks for live messages
 */
export function toListedWorkspace(workspaceId: string, asked: Mode | undefined): string {
  if (asked === 'live' && modeOf(workspaceId) === 'test') {
    throw new AppError('invalid_params', '`mode` must be test: test mode shows no live messages');
  }
  return asked === undefined ? workspaceId : workspaceInMode(workspaceId, asked);
}

/** Converts the parsed filters to those of the store. */
export function toHistoryFilter(query: z.output<typeof messageSelection>): HistoryFilter {
  const { direction, status, from, to, error_code, sent_by, provider, country_code } = query;
  const { reference: named, startDate, endDate, search } = query;
  return {
    ...(direction !== undefined && { direction }),
    ...(status !== undefined && { status }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(error_code !== undefined && { errorCode: error_code }),
    ...(sent_by !== undefined && { sentBy: sent_by }),
    ...(provider !== undefined && { provider }),
    ...(country_code !== undefined && { countryCode: country_code }),
    ...(named !== undefined && { reference: named }),
    ...(search !== undefined && { search }),
    ...(startDate !== undefined && { after: new Date(startDate.ms) }),
    // Messages have whole milliseconds: "before x.0005" is "before x.001".
    ...(endDate !== undefined && { before: new Date(endDate.ms + (endDate.truncated ? 1 : 0)) }),
  };
}

/** Converts the parsed parameters of a history request to a query for the store. */
export function toHistoryQuery({
  page,
  limit,
  ...filters
}: z.output<typeof historyQuery>): HistoryQuery {
  return { ...toPaging({ page, limit }), ...toHistoryFilter(filters) };
}
