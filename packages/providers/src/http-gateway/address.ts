import { readCountryCode, readSenderKind } from '@switchboard/core';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * Returns a number in our format. Phones report some senders in national notation, but a STOP
 * counts only for the number in E.164 form. `own` is the gateway's number, in whose country
 * national numbers are dialed. Anything that is not a phone number stays as it is.
 */
export function toAddress(reported: string, own: string | null): string {
  const text = reported.trim();
  if (readSenderKind(text) === 'short_code') return text;
  const country = own === null ? null : readCountryCode(own);
  const parsed = parsePhoneNumberFromString(text, {
    extract: false,
    ...(country !== null && { defaultCallingCode: country }),
  });
  return parsed?.isPossible() === true ? parsed.number : text;
}
