import { type Direction, type MessageStatus, isMessageStatus } from '@switchboard/core';
import {
  type RawQuery,
  invalidParameter as invalid,
  parsePaging,
  readInstant,
  readParameter,
} from './query.ts';

/** What a history request asks for; dates are exclusive bounds. */
export interface HistoryQuery {
  page: number;
  limit: number;
  direction?: Direction;
  status?: MessageStatus;
  from?: string;
  to?: string;
  after?: Date;
  before?: Date;
}

/** Parses the query of a history request; an empty parameter counts as absent. */
export function parseHistoryQuery(query: RawQuery): HistoryQuery {
  const { page, limit } = parsePaging(query);
  const direction = readParameter(query, 'direction');
  const status = readParameter(query, 'status');
  const from = readParameter(query, 'from');
  const to = readParameter(query, 'to');
  const startDate = readInstant(query, 'startDate');
  const endDate = readInstant(query, 'endDate');

  if (direction !== undefined && direction !== 'inbound' && direction !== 'outbound') {
    throw invalid('direction', 'must be inbound or outbound');
  }
  if (status !== undefined && !isMessageStatus(status)) {
    throw invalid('status', 'must be a message status, such as queued, sent, delivered or failed');
  }
  return {
    page,
    limit,
    ...(direction !== undefined && { direction }),
    ...(status !== undefined && { status }),
    ...(from !== undefined && { from: plusForSpace(from) }),
    ...(to !== undefined && { to: plusForSpace(to) }),
    ...(startDate !== undefined && { after: new Date(startDate.ms) }),
    // Messages have whole milliseconds: "before x.0005" is "before x.001".
    ...(endDate !== undefined && { before: new Date(endDate.ms + (endDate.truncated ? 1 : 0)) }),
  };
}

function plusForSpace(value: string): string {
  return value.startsWith(' ') ? `+${value.slice(1)}` : value;
}
