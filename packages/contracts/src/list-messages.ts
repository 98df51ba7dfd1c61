import { type Direction, MESSAGE_STATUSES, type MessageStatus } from '@switchboard/core';
import { z } from 'zod';
import { instant, pagingQuery, toPaging } from './query.ts';

/** The filters and the page of a history request; dates are exclusive bounds. */
export interface HistoryQuery {
  page: number;
  limit: number;
  direction?: Direction;
  status?: MessageStatus;
  from?: string;
  to?: string;
  errorCode?: string;
  after?: Date;
  before?: Date;
}

/** A phone number in a query: its + may arrive as a space. */
const numberFilter = () =>
  z
    .string()
    .transform((value) => (value.startsWith(' ') ? `+${value.slice(1)}` : value))
    .meta({ examples: ['+15551234567'] });

export const historyQuery = pagingQuery.extend({
  direction: z.enum(['inbound', 'outbound'], 'must be inbound or outbound').optional(),
  status: z
    .enum(MESSAGE_STATUSES, 'must be a message status, such as queued, sent, delivered or failed')
    .optional(),
  from: numberFilter().optional().describe('The exact sender'),
  to: numberFilter().optional().describe('The exact recipient'),
  error_code: z
    .string()
    .max(64, 'must have at most 64 characters')
    .optional()
    .describe('The exact error code')
    .meta({ examples: ['30003'] }),
  startDate: instant()
    .optional()
    .describe('Only messages after this instant; UTC without an offset, midnight without a time'),
  endDate: instant().optional().describe('Only messages before this instant'),
});

/** Converts the parsed parameters of a history request to a query for the store. */
export function toHistoryQuery(query: z.output<typeof historyQuery>): HistoryQuery {
  const { page, limit, direction, status, from, to, error_code, startDate, endDate } = query;
  return {
    ...toPaging({ page, limit }),
    ...(direction !== undefined && { direction }),
    ...(status !== undefined && { status }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(error_code !== undefined && { errorCode: error_code }),
    ...(startDate !== undefined && { after: new Date(startDate.ms) }),
    // Messages have whole milliseconds: "before x.0005" is "before x.001".
    ...(endDate !== undefined && { before: new Date(endDate.ms + (endDate.truncated ? 1 : 0)) }),
  };
}
