import { AppError } from '@switchboard/core';
import { type Instant, parseInstant } from './dates.ts';

export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAX = 100;

/** Query parameters as a framework hands them over: a repeated one is a list. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

/** `page` from 1, `limit` from 1, read as 100 above that. */
export function parsePaging(query: RawQuery): { page: number; limit: number } {
  return {
    page: readWholeNumber(query, 'page') ?? 1,
    limit: Math.min(readWholeNumber(query, 'limit') ?? PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX),
  };
}

export function readParameter(query: RawQuery, name: string): string | undefined {
  const value = query[name];
  if (Array.isArray(value)) throw invalidParameter(name, 'must be given once');
  if (value === undefined || value === '') return undefined;
  if (value.includes('\0') || !value.isWellFormed()) {
    throw invalidParameter(name, 'must not contain NUL or lone surrogates');
  }
  return value;
}

function readWholeNumber(query: RawQuery, name: string): number | undefined {
  const value = readParameter(query, name);
  if (value === undefined) return undefined;
  if (!/^\d+$/.test(value) || /^0+$/.test(value))
    throw invalidParameter(name, 'must be a whole number from 1');
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
}

export function readInstant(query: RawQuery, name: string): Instant | undefined {
  const value = readParameter(query, name);
  if (value === undefined) return undefined;
  // The + of an offset arrives as a space where the client did not encode it.
  const instant = parseInstant(value.replace(/ (\d{2}(:?\d{2})?)$/, '+$1'));
  if (instant === null) throw invalidParameter(name, 'must be an ISO 8601 date or time');
  return instant;
}

export function invalidParameter(name: string, expectation: string): AppError {
  return new AppError('invalid_params', `\`${name}\` ${expectation}`);
}
