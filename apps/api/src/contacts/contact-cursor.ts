import { AppError } from '@switchboard/core';
import type { ContactPosition } from '@switchboard/database';

/** Formats a place in the list of contacts as the opaque `next` of a page. */
export function writeContactCursor({ name, id, language }: ContactPosition): string {
  return Buffer.from(JSON.stringify([id, name, language])).toString('base64url');
}

/** Parses a `next`. Throws `invalid_params` for any other text. */
export function readContactCursor(cursor: string): ContactPosition {
  const [id, name, language = null] = parseList(Buffer.from(cursor, 'base64url').toString());
  if (
    typeof id === 'string' &&
    UUID.test(id) &&
    typeof name === 'string' &&
    isStorable(name) &&
    (language === null || typeof language === 'string')
  ) {
    return { id, name, language };
  }
  throw new AppError(
    'invalid_params',
    '`after` must be the `next` of an earlier page of this list',
  );
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

function parseList(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
