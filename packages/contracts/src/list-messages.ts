import { AppError, type Direction, type MessageStatus, isMessageStatus } from '@switchboard/core';
import { type Instant, parseInstant } from './dates.ts';

export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAX = 100;

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

/** Query parameters as a framework hands them over: a repeated one is a list. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

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

/** `page` from 1, `limit` from 1, read as 100 above that. */
export function parsePaging(query: RawQuery): { page: number; limit: number } {
  return {
    page: readWholeNumber(query, 'page') ?? 1,
    limit: Math.min(readWholeNumber(query, 'limit') ?? PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX),
  };
}

function readParameter(query: RawQuery, name: string): string | undefined {
  const value = query[name];
  if (Array.isArray(value)) throw invalid(name, 'must be given once');
  if (value === undefined || value === '') return undefined;
  if (value.includes('\0') || !value.isWellFormed()) {
    throw invalid(name, 'must not contain NUL or lone surrogates');
  }
  return value;
}

function readWholeNumber(query: RawQuery, name: string): number | undefined {
  const value = readParameter(query, name);
  if (value === undefined) return undefined;
  if (!/^\d+$/.test(value) || /^0+$/.test(value))
    throw invalid(name, 'must be a whole number from 1');
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
}

function readInstant(query: RawQuery, name: string): Instant | undefined {
  const value = readParameter(query, name);
  if (value === undefined) return undefined;
  // The + of an offset arrives as a space where the client did not encode it.
  const instant = parseInstant(value.replace(/ (\d{2}:?\d{2})$/, '+$1'));
  if (instant === null) throw invalid(name, 'must be an ISO 8601 date or time');
  return instant;
}

function plusForSpace(value: string): string {
  return value.startsWith(' ') ? `+${value.slice(1)}` : value;
}

function invalid(name: string, expectation: string): AppError {
  return new AppError('invalid_params', `\`${name}\` ${expectation}`);
}
