import {
  type ProviderAccount,
  type WrittenNumber,
  dropOldPrefix,
  isPhoneNumber,
  readCountryCode,
  readSenderKind,
  toDigits,
} from '@switchboard/core';
import {
  type CountryCode,
  type PhoneNumber,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

const MAY_HAVE_TRUNK_PREFIX = /^\+\d{1,3}0/;

/** How a number is written. `unknown`: the sender says nothing about it, or what it says is often wrong. */
export type Notation = 'international' | 'national' | 'unknown';

export interface NumberContext {
  notation?: Notation;
  /** The country in which national numbers are dialed, ISO 3166 alpha-2. Default: that of `own`. */
  country?: string | null;
  /** The number of the workspace to which the number writes, in our format. */
  own?: string | null;
}

/** Returns how an account's provider writes numbers. `own`: the number of the workspace in the same message. */
export function contextOf(
  { home }: Pick<ProviderAccount, 'home'>,
  own: string | null = null,
): NumberContext {
  const isNumber = own !== null && isPhoneNumber(own);
  return { country: home?.country ?? null, own: isNumber ? own : (home?.own ?? null) };
}

/** Senders of fewer digits are short codes, except those that are national numbers for certain. */
const MIN_DIGITS = 7;
/** Texts of at most 8 digits without a plus may be short codes, so they are not read as international. */
const MIN_INTERNATIONAL_DIGITS = 9;
const LONGEST_NATIONAL_DIGITS = 10;

/**
 * Returns a number that the outside wrote in our format, E.164. Everything that is not certainly a phone
 * number, for example a short code or a name, stays as it came.
 */
export function readNumber(
  text: string,
  { notation = 'unknown', ...context }: NumberContext,
): string {
  if (isPhoneNumber(text) && !MAY_HAVE_TRUNK_PREFIX.test(text)) return text;
  const written = toDigits(text);
  const home = toHome(context);
  const read = written === null ? null : readWritten(written, notation, home);
  if (read !== null) return read;
  const trimmed = text.trim();
  return readSenderKind(trimmed) === null ? text : trimmed;
}

/** The country or, if it is unknown, the country code of national numbers. */
interface Home {
  /** Empty if only the country code is known. */
  country: string;
  options: { defaultCountry: CountryCode } | { defaultCallingCode: string };
  callingCode: string;
}

const NANP = '1';

function toHome({ country = null, own = null }: Omit<NumberContext, 'notation'>): Home | null {
  if (country !== null && isSupportedCountry(country)) {
    return {
      country,
      options: { defaultCountry: country },
      callingCode: getCountryCallingCode(country),
    };
  }
  const callingCode = own === null ? null : readCountryCode(own);
  return callingCode === null
    ? null
    : { country: '', options: { defaultCallingCode: callingCode }, callingCode };
}

function readWritten(written: WrittenNumber, notation: Notation, home: Home | null): string | null {
  const { digits, hasPlus, hasSpace } = written;
  if (hasPlus) {
    const rest = digits.replace(/^00/, '');
    // A plus in front of a national number: +0612345678.
    if (rest.startsWith('0')) return readUnknown(rest, home);
    return readInternational(rest) ?? (isPhoneNumber(`+${rest}`) ? `+${rest}` : null);
  }
  if (notation === 'national') return readNational(digits, home) ?? readUnknown(digits, home);
  if (digits.length < MIN_DIGITS) return null;
  if (notation === 'international') {
    const rest = digits.replace(home?.callingCode === NANP ? /^(?:00|011)/ : /^00/, '');
    return readInternational(rest) ?? readUnknown(digits, home) ?? readForeign(rest);
  }
  if (hasSpace && isValid(parse(`+${digits}`), home)) return `+${digits}`;
  return readUnknown(digits, home);
}

/** Reads digits whose notation is unknown. */
function readUnknown(digits: string, home: Home | null): string | null {
  const dialed = home === null ? undefined : parseDialed(digits, home);
  if (isValid(dialed, home) && isAsWritten(dialed, digits)) return dialed.number;
  const prefix = home?.callingCode === NANP ? /^(?:00|011)(?=[1-9])/ : /^00(?=[1-9])/;
  if (prefix.test(digits)) {
    const abroad = readInternational(digits.replace(prefix, ''));
    if (abroad !== null) return abroad;
  }
  if (digits.length >= MIN_INTERNATIONAL_DIGITS && isValid(parse(`+${digits}`), home))
    return `+${digits}`;
  // Without its trunk prefix, or after the country's own prefix for calls abroad.
  return digits.length >= MIN_INTERNATIONAL_DIGITS && isValid(dialed, home) ? dialed.number : null;
}

/** Reads a number that is national for certain, with or without its trunk prefix. */
function readNational(digits: string, home: Home | null): string | null {
  const dialed = home === null ? undefined : parseDialed(digits, home);
  return isValid(dialed, home) ? dialed.number : null;
}

/** Reads the digits after a plus or a prefix for calls abroad; null if no country has such a number. */
function readInternational(digits: string): string | null {
  const parsed = parse(`+${digits}`);
  if (parsed?.isPossible() !== true) return null;
  // Some phones leave the trunk prefix in international numbers: +44 07700 900123.
  const national = digits.slice(parsed.countryCallingCode.length);
  return national.startsWith('0') ? parsed.number : `+${digits}`;
}

/** A number of a country code that the library does not know. */
function readForeign(digits: string): string | null {
  return parse(`+${digits}`) === undefined && isPhoneNumber(`+${digits}`) ? `+${digits}` : null;
}

function parseDialed(digits: string, { country, options }: Home): PhoneNumber | undefined {
  return parse(dropOldPrefix(digits, country), options);
}

function parse(text: string, options: Home['options'] | object = {}): PhoneNumber | undefined {
  return parsePhoneNumberFromString(text, { ...options, extract: false });
}

/**
 * Returns whether a country has such a number. Reserved ranges of a country code that several countries share
 * belong to none of them. Of the own country code, and of numbers too long to be national, only the length is
 * checked.
 */
function isValid(parsed: PhoneNumber | undefined, home: Home | null): parsed is PhoneNumber {
  if (parsed === undefined || !isPhoneNumber(parsed.number)) return false;
  const { countryCallingCode: code, nationalNumber } = parsed;
  // The library also knows a service with seven digits.
  if (code === NANP) return /^[2-9]\d{9}$/.test(nationalNumber);
  if (parsed.isValid()) return true;
  const isLong = parsed.number.length > '+'.length + LONGEST_NATIONAL_DIGITS;
  const isTrusted = isLong || code === home?.callingCode;
  return isTrusted && parsed.country === undefined && parsed.isPossible();
}

/** Returns whether the country writes the number with these digits, its trunk prefix included. */
function isAsWritten(parsed: PhoneNumber, digits: string): boolean {
  return parsed.formatNational().replaceAll(/\D/gu, '') === digits;
}
