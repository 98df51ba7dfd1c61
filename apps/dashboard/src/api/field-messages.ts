import { BODY_MAX_CHARACTERS, CONTACT_LIMITS } from '@switchboard/contracts';
import * as strings from '#strings/errors';

const FIELD_MESSAGES = strings.fieldMessages({
  bodyCharacters: BODY_MAX_CHARACTERS,
  contact: CONTACT_LIMITS,
});

/** Accepts indexed names, for example `media_urls[2]`. */
export function messageForField(name: string): string | undefined {
  return FIELD_MESSAGES[name.replace(/\[\d+\]$/, '')];
}
