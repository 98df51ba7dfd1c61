import { dropOldPrefix, isPhoneNumber, cleanNumber, toDigits } from '@switchboard/contracts';
import {
  type CountryCode,
  type PhoneNumber,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import * as strings from '#strings/phone';
import { nameRegion } from '../ui/region-name.ts';

/** What a text means that a person typed, pasted or has in a file. */
export type TypedNumber =
  | { kind: 'empty' }
  | { kind: 'number'; e164: string; country: CountryCode | undefined }
  /** The digits without a plus may mean each of these numbers, in E.164: the person has to choose. */
  | { kind: 'ask'; ask: readonly string[] }
  /** `isUnfinished`: the beginning of a number, which is a problem only when the user leaves the field. */
  | { kind: 'problem'; problem: string; isUnfinished: boolean };

/** Numbers of fewer digits may be the beginning of one. */
const MIN_DIGITS = 10;
/** People dial longer numbers without a trunk prefix only in these countries. */
const MAX_DIALED_DIGITS = 10;
const LONG_NUMBERS: ReadonlySet<string> = new Set(['BR', 'CN']);
/** Numbers for examples, which plans assign to no subscriber: the area code 555, and Ofcom's mobile numbers. */
const EXAMPLES = /^\+(?:1555\d{7}|447700900\d{3})$/;

/**
 * Reads a text that must be exactly one phone number. It is the only reader of the dashboard, for every field, filter,
 * search and file. Numbers in international notation need a possible length. Numbers without a plus are read
 * with the country of the workspace (ISO 3166 alpha-2), and must be valid in its plan.
 */
export function readTypedNumber(text: string, country: string | null): TypedNumber {
  const written = toDigits(text);
  if (written === null) return readOther(text);
  const { digits, hasPlus } = written;
  const home = country !== null && isSupportedCountry(country) ? country : null;
  const read = hasPlus
    ? readInternational(digits.replace(/^00/, ''))
    : readWithoutPlus(digits, home);
  if (read !== null) return read;
  const isUnfinished = digits.length < MIN_DIGITS;
  if (hasPlus || isUnfinished) return { kind: 'problem', problem: strings.oneNumber, isUnfinished };
  const problem =
    home === null ? strings.countryCodeMissing : strings.notInCountry(nameRegion(home));
  return { kind: 'problem', problem, isUnfinished };
}

function readOther(text: string): TypedNumber {
  const cleaned = cleanNumber(text);
  if (cleaned === '') return { kind: 'empty' };
  const hasExtension = parse(cleaned)?.ext !== undefined || parse(cleaned, 'US')?.ext !== undefined;
  const problem = hasExtension ? strings.noExtension : strings.oneNumber;
  return { kind: 'problem', problem, isUnfinished: cleaned === '+' };
}

function readInternational(digits: string): TypedNumber | null {
  const parsed = parse(`+${digits}`);
  return parsed?.isPossible() === true ? toNumber(parsed) : null;
}

function readWithoutPlus(digits: string, home: CountryCode | null): TypedNumber | null {
  const dialed = home === null ? undefined : parse(dropOldPrefix(digits, home), home);
  if (dialed !== undefined && isFromAbroad(dialed, digits))
    return readInternational(digitsOf(dialed));
  const here = dialed !== undefined && isValid(dialed) ? dialed : null;
  if (here === null && digits.startsWith('00')) return readInternational(digits.slice(2));
  const full = parse(`+${digits}`);
  const abroad = full !== undefined && isValid(full) ? full : null;
  if (abroad === null) return here === null ? null : toNumber(here);
  if (here === null) {
    // A wrong digit in a national number must not turn it into a number of another country.
    const mayBeNational = home === null || dialed?.isPossible() === true;
    return mayBeNational ? { kind: 'ask', ask: [abroad.number] } : toNumber(abroad);
  }
  if (here.number === abroad.number || isAsDialed(here, abroad, digits)) return toNumber(here);
  return { kind: 'ask', ask: [abroad.number, here.number] };
}

/** Returns whether the digits begin with the prefix for international calls from the country. */
function isFromAbroad(dialed: PhoneNumber, digits: string): boolean {
  const full = digitsOf(dialed);
  return digits.length > full.length && digits.endsWith(full);
}

/** Returns whether people of the country dial exactly these digits, and they do not begin with its own code. */
function isAsDialed(here: PhoneNumber, abroad: PhoneNumber, digits: string): boolean {
  if (abroad.countryCallingCode === here.countryCallingCode) return false;
  const isUsual = digits.length <= MAX_DIALED_DIGITS || LONG_NUMBERS.has(here.country ?? '');
  return isUsual && here.formatNational().replaceAll(/\D/g, '') === digits;
}

function isValid(parsed: PhoneNumber): boolean {
  return isPhoneNumber(parsed.number) && (parsed.isValid() || EXAMPLES.test(parsed.number));
}

const digitsOf = ({ number }: PhoneNumber): string => number.slice(1);

const toNumber = ({ number, country }: PhoneNumber): TypedNumber | null =>
  isPhoneNumber(number) ? { kind: 'number', e164: number, country } : null;

function parse(text: string, country?: CountryCode): PhoneNumber | undefined {
  // The complete text must be a number, not only part of it.
  const options = { extract: false, ...(country !== undefined && { defaultCountry: country }) };
  return parsePhoneNumberFromString(text, options);
}
