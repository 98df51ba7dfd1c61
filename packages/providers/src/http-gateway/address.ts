import { readCountryCode, readSenderKind } from '@switchboard/core';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * Returns a number in our format. Phones report some senders as a call within the country would dial
 * them, and a STOP counts only for the number to which messages are sent. `own` is the gateway's number,
 * whose country such a number belongs to. Anything that is no phone number stays as it is.
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
