import { AppError } from '@switchboard/core';
import { dropNulls } from './drop-nulls.ts';
import { isRequired } from './routes/fields-of.ts';
import type { z } from 'zod';

export const NOT_AN_OBJECT = 'The request body must be a JSON object';

/**
 * Parses a JSON request body. Missing takes precedence over invalid: a required field that is
 * absent, null or an empty string is `missing_params`; any other error is `invalid_params`. Both
 * errors name the field. Unknown fields and nulls of optional fields are dropped; no value is coerced.
 */
export function parseBody<Schema extends z.ZodObject>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const missing = listRequiredFields(schema).filter((name) => isMissing(readField(body, name)));
  if (missing.length > 0) throw new AppError('missing_params', describeMissingParams(missing));
  if (!isObject(body)) throw new AppError('missing_params', NOT_AN_OBJECT);
  return parseValue(schema, dropNulls(schema, body));
}

/** Parses a value whose fields are all optional or known to be present. */
export function parseValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const result = schema.safeParse(value, { error: describeDefault });
  if (!result.success) throw new AppError('invalid_params', describeIssues(result.error));
  return result.data;
}

/** Describes required parameters that are absent. The documented examples use the same form. */
export function describeMissingParams(names: readonly string[]): string {
  const list = names.map((name) => `\`${name}\``).join(', ');
  return `Missing required ${names.length === 1 ? 'parameter' : 'parameters'}: ${list}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** The text of an error for which the schema has none of its own. */
function describeDefault(issue: z.core.$ZodRawIssue): string {
  const type = issue.code === 'invalid_type' ? TYPES[issue.expected] : undefined;
  return type === undefined ? 'is invalid' : `must be ${type}`;
}

/** Writes one sentence per error, each beginning with the name of the parameter. */
function describeIssues(error: z.ZodError): string {
  const nameOf = ({ path }: z.core.$ZodIssue) =>
    path.map((part) => (typeof part === 'number' ? `[${part}]` : String(part))).join('.');
  // A text of the wrong type also has a length, and is checked against that of a list.
  const wrongTypes = new Set(
    error.issues.filter(({ code }) => code === 'invalid_type').map(nameOf),
  );
  const issues = error.issues.filter(
    (issue) => issue.code === 'invalid_type' || !wrongTypes.has(nameOf(issue)),
  );
  const sentences = issues.map((issue) => {
    const name = nameOf(issue).replaceAll('.[', '[');
    return name === '' ? `The request ${issue.message}` : `\`${name}\` ${issue.message}`;
  });
  return [...new Set(sentences)].join('; ');
}

/**
 * Computed once per schema, because parsing a refused value with zod costs more than the rest of a
 * request.
 */
const required = new WeakMap<z.ZodObject, string[]>();

/** Returns the names of the fields that a schema requires. */
export function listRequiredFields(schema: z.ZodObject): string[] {
  const known = required.get(schema);
  if (known !== undefined) return known;
  const names = Object.entries(schema.shape)
    .filter(([, field]) => isRequired(field as z.ZodType))
    .map(([name]) => name);
  required.set(schema, names);
  return names;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function readField(body: unknown, name: string): unknown {
  return isObject(body) && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
