import { AppError } from '@switchboard/core';
import { readText } from './read-text.ts';

/** A value of a JSON webhook that decides what the webhook is about. */
export interface WebhookValue {
  /** The name of the field in errors. */
  name: string;
  value: unknown;
}

const IDENTIFIER = /^[\w-]{1,64}$/;
/** Phone numbers, short codes and alphanumeric senders. */
const ADDRESS = /^[^\p{Cc}]{1,128}$/u;
const WORD = /^[\w.-]{1,64}$/;
const MAX_SEGMENTS = 1_000;

/** @throws AppError `missing_params` or `invalid_params` */
export function requireIdentifier(field: WebhookValue): string {
  return requireText(field, IDENTIFIER, 'an identifier of at most 64 letters, digits, `_` and `-`');
}

/** @throws AppError `missing_params` or `invalid_params` */
export function requireAddress(field: WebhookValue): string {
  return requireText(
    field,
    ADDRESS,
    'an address of at most 128 characters without control characters',
  );
}

/** Returns an address that does not decide what the webhook is about; null if it is absent or malformed. */
export function readAddress(value: unknown): string | null {
  return isText(value, ADDRESS) ? value : null;
}

/** @throws AppError `missing_params` or `invalid_params` */
export function requireWord(field: WebhookValue): string {
  return requireText(field, WORD, 'a word of at most 64 letters, digits, `_`, `.` and `-`');
}

function requireText({ name, value }: WebhookValue, pattern: RegExp, expected: string): string {
  if (value === undefined || value === null || value === '') {
    throw new AppError('missing_params', `Missing required parameters: \`${name}\``);
  }
  if (isText(value, pattern)) return value;
  throw new AppError('invalid_params', `\`${name}\` must be ${expected}`);
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && value.isWellFormed() && pattern.test(value);
}

/** Returns the text of a message in a form that PostgreSQL can store; empty if it is absent. */
export function readMessageText(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : '';
}

/** Returns a number of segments; null if it is absent or malformed. */
export function readSegments(value: unknown): number | null {
  const segments = Number(value);
  return Number.isInteger(segments) && segments >= 1 && segments <= MAX_SEGMENTS ? segments : null;
}

/**
 * Phones and mail gateways write such words for an MMS without a subject, for example `NoSubject` or
 * `<no subject>`.
 */
const NO_SUBJECT = /^[<([]?\s*no[\s_-]?subject\s*[>)\]]?$/i;

/** Returns the subject of an MMS in one line; null if there is none. */
export function readSubject(value: unknown): string | null {
  const subject = readText(value)?.replaceAll(/\s+/g, ' ').trim() ?? '';
  return subject === '' || NO_SUBJECT.test(subject) ? null : subject;
}
