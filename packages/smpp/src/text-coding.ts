import { decodeGsm7, toSeptets } from './gsm-7.ts';

/** The alphabet of `data_coding` 0, which each SMSC chooses: GSM-7 at most of them. */
export type DefaultAlphabet = 'gsm7' | 'latin1';

export const DATA_CODING = { DEFAULT: 0x00, LATIN1: 0x03, UCS2: 0x08 } as const;

/** The units of a text, which must not be split between parts. */
export interface EncodedText {
  dataCoding: number;
  units: Buffer[];
}

/** Encodes a text in GSM-7 if it has every character, otherwise in UCS-2. */
export function encodeText(text: string): EncodedText {
  const characters = [...text];
  const septets = characters.map(toSeptets);
  if (septets.every((each) => each !== null)) {
    return { dataCoding: DATA_CODING.DEFAULT, units: septets.map((each) => Buffer.from(each)) };
  }
  const units = characters.map((character) => Buffer.from(character, 'utf16le').swap16());
  return { dataCoding: DATA_CODING.UCS2, units };
}

/**
 * Decodes a text by its `data_coding`, section 5.2.19. The text of a part may begin or end with half of a
 * surrogate pair, because some phones split pairs.
 */
export function decodeText(
  bytes: Buffer,
  dataCoding: number,
  defaultAlphabet: DefaultAlphabet,
): string {
  switch (alphabetOf(dataCoding)) {
    case 'ucs2': {
      const whole = bytes.subarray(0, bytes.length - (bytes.length % 2));
      return Buffer.from(whole).swap16().toString('utf16le');
    }
    case 'latin1':
      return bytes.toString('latin1');
    case 'default':
      return defaultAlphabet === 'gsm7' ? decodeGsm7(bytes) : bytes.toString('latin1');
  }
}

function alphabetOf(dataCoding: number): 'default' | 'latin1' | 'ucs2' {
  // GSM 03.38 message classes: 0x10 to 0x1F, and 0xF0 to 0xFF, which have only GSM-7 and bytes.
  if (dataCoding >= 0xf0) return (dataCoding & 0x04) === 0 ? 'default' : 'latin1';
  const alphabet = dataCoding >= 0x10 && dataCoding <= 0x1f ? dataCoding & 0x0c : dataCoding;
  if (alphabet === DATA_CODING.UCS2) return 'ucs2';
  return alphabet === DATA_CODING.DEFAULT ? 'default' : 'latin1';
}
