import { readTypedNumber } from '../../../phone/read-typed-number.ts';

/** What digits without a plus mean in a file, where they may be several numbers. */
export type AmbiguousDigits = 'skip' | 'withCountryCode' | 'national';

export interface NumberRules {
  /** The country of the workspace, ISO 3166 alpha-2; null if it is unknown. */
  country: string | null;
  ambiguous: AmbiguousDigits;
}

/** A number in E.164, or why the text is none. */
export type FileNumber = { number: string } | 'ambiguous' | 'invalid';
export type ReadNumber = (text: string) => FileNumber;

/** Creates the reader of the numbers in a file. */
export function createReadNumber({ country, ambiguous }: NumberRules): ReadNumber {
  return (text) => {
    const read = readTypedNumber(text, country);
    if (read.kind === 'number') return { number: read.e164 };
    if (read.kind !== 'ask') return 'invalid';
    const [withCountryCode = null, national = null] = read.ask;
    const chosen = { skip: null, withCountryCode, national }[ambiguous];
    return chosen === null ? 'ambiguous' : { number: chosen };
  };
}
