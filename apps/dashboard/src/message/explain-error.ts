import * as strings from '#strings/error-codes';

/** The meaning of an error code, and what the user can do about it. */
export interface ErrorExplanation {
  what: string;
  todo: string;
}

export function explainError(code: string | null): ErrorExplanation {
  const [what, todo] =
    code === null ? strings.withoutCode : (strings.errorCodes[code] ?? strings.unknownCode);
  return { what, todo };
}

/** Vendors send these texts with codes that we explain. */
const SAYS_NOTHING = /^(?:an )?(?:unknown|unspecified|general) (?:error|failure|reason)\.?$/i;

/** Returns what the provider says about an error, or null if the text says nothing. */
export function readProviderText(text: string | null): string | null {
  return text === null || SAYS_NOTHING.test(text.trim()) ? null : text;
}

/** Returns the URL of Twilio’s page about a code, or null if the code is not one of Twilio’s. */
export function errorPageOf(code: string): string | null {
  return /^[1-9]\d{4}$/.test(code) ? `https://www.twilio.com/docs/api/errors/${code}` : null;
}
