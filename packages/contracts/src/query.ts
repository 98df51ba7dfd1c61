import { AppError } from '@switchboard/core';
import { z } from 'zod';
import { parseInstant } from './dates.ts';
import { parseValue } from './parse-request.ts';

export const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 100;

/** Query parameters from the framework: a repeated parameter is a list. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Parses the parameters that the schema names. An empty parameter counts as absent; unknown ones
 * are ignored.
 */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: RawQuery,
): z.output<Schema> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = readParameter(query, name);
    if (value !== undefined) given[name] = value;
  }
  return parseValue(schema, given);
}

function readParameter(query: RawQuery, name: string): string | undefined {
  const value = query[name];
  if (Array.isArray(value)) throw invalidParameter(name, 'must be given only once');
  if (value === undefined || value === '') return undefined;
  if (value.includes('\0') || !value.isWellFormed()) {
    throw invalidParameter(name, 'must not contain NUL or lone surrogates');
  }
  return value;
}

const wholeNumber = () =>
  z
    .string()
    .refine((value) => /^\d+$/.test(value) && !/^0+$/.test(value), {
      error: 'must be a whole number of at least 1',
    })
    .transform((value) => Math.min(Number(value), Number.MAX_SAFE_INTEGER))
    .meta({ type: 'integer', minimum: 1 });

/** A date or a time in a query. */
export const instant = () =>
  z
    .string()
    .transform((value, context) => {
      // The + of an offset arrives as a space where the client did not encode it.
      const parsed = parseInstant(value.replace(/ (\d{2}(:?\d{2})?)$/, '+$1'));
      if (parsed !== null) return parsed;
      context.addIssue({ code: 'custom', message: 'must be an ISO 8601 date or time' });
      return z.NEVER;
    })
    .meta({ examples: ['2026-11-20', '2026-11-20T09:00:00Z'] });

/** The maximum number of items on a page. */
export const pageLimit = wholeNumber()
  .optional()
  .describe(
    `Defaults to ${PAGE_SIZE_DEFAULT}; a value above ${PAGE_SIZE_MAX} counts as ${PAGE_SIZE_MAX}`,
  );

/** The parameters of every list with numbered pages. */
export const pagingQuery = z.object({
  page: wholeNumber().optional().describe('Defaults to 1; a page after the last one is empty'),
  limit: pageLimit,
});

/** Fills in the defaults; a `limit` above the maximum counts as the maximum. */
export function toPaging({ page, limit }: Partial<z.output<typeof pagingQuery>>) {
  return { page: page ?? 1, limit: Math.min(limit ?? PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX) };
}

export function invalidParameter(name: string, expectation: string): AppError {
  return new AppError('invalid_params', `\`${name}\` ${expectation}`);
}
