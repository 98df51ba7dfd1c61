import * as strings from '#strings/error-codes';

/** The meaning of an error code, and what the user can do about it. */
export interface ErrorExplanation {
  what: string;
  todo: string;
}

export function explainError(code: string): ErrorExplanation {
  const [what, todo] = strings.errorCodes[code] ?? strings.unknownCode;
  return { what, todo };
}

/** Returns the URL of Twilio’s page about a code, or null if the code is not one of Twilio’s. */
export function errorPageOf(code: string): string | null {
  return /^[1-9]\d{4}$/.test(code) ? `https://www.twilio.com/docs/api/errors/${code}` : null;
}
