import { type Languages, decodeGsm7, toSeptets } from './gsm-7.ts';

export const DATA_CODING = { DEFAULT: 0x00, UCS2: 0x08 } as const;

/** The units of a text, which must not be split between parts. */
export interface EncodedText {
  dataCoding: number;
  units: Buffer[];
}

/** A text, or a part of one, as it arrived. It may begin or end within a character. */
export interface TextPart extends Languages {
  bytes: Buffer;
  dataCoding: number;
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
 * Decodes the consecutive parts of a text together, because a character may be split between two of them.
 * The NULs at the end of a part and a byte order mark at its start are no text. The result may contain half
 * of a surrogate pair.
 */
export function decodeText(parts: readonly TextPart[]): string {
  let text = '';
  let rest = parts;
  while (rest[0] !== undefined) {
    const alphabet = alphabetOf(rest[0].dataCoding);
    const end = rest.findIndex(({ dataCoding }) => alphabetOf(dataCoding) !== alphabet);
    const run = rest.slice(0, end === -1 ? rest.length : end);
    text += decodeRun(run, alphabet);
    rest = rest.slice(run.length);
  }
  return text;
}

/** Writes a part as one text, which `parseTextPart` reads. */
export function formatTextPart({ bytes, dataCoding, locking, single }: TextPart): string {
  return [dataCoding, locking, single, bytes.toString('base64')].join(' ');
}

export function parseTextPart(text: string): TextPart {
  const [dataCoding = '', locking = '', single = '', bytes = ''] = text.split(' ');
  return {
    bytes: Buffer.from(bytes, 'base64'),
    dataCoding: Number(dataCoding),
    locking: Number(locking),
    single: Number(single),
  };
}

/** `latin1` and the names of the Encoding Standard. */
type Alphabet = 'gsm7' | 'ucs2' | 'latin1' | (typeof SMPP_ALPHABETS)[keyof typeof SMPP_ALPHABETS];

/** Section 5.2.19 of SMPP 3.4. The values below 0x10 that are not here have 8 bits. */
const SMPP_ALPHABETS = {
  0x00: 'gsm7',
  0x05: 'shift_jis',
  0x06: 'iso-8859-5',
  0x07: 'iso-8859-8',
  0x08: 'ucs2',
  0x0a: 'iso-2022-jp',
  0x0e: 'euc-kr',
} as const;

/** From 0x10 on, the coding groups of 3GPP TS 23.038, section 4. */
function alphabetOf(dataCoding: number): Alphabet {
  const known: Readonly<Record<number, Alphabet>> = SMPP_ALPHABETS;
  if (dataCoding < 0x10) return known[dataCoding] ?? 'latin1';
  // General data coding, with and without automatic deletion. Reserved codings are read as GSM-7.
  if (dataCoding < 0x80)
    return (['gsm7', 'latin1', 'ucs2', 'gsm7'] as const)[(dataCoding >> 2) & 3] ?? 'gsm7';
  // Message waiting: in the last of three groups, the text is UCS-2.
  if (dataCoding < 0xf0) return dataCoding >= 0xe0 ? 'ucs2' : 'gsm7';
  return (dataCoding & 0x04) === 0 ? 'gsm7' : 'latin1';
}

function decodeRun(run: readonly TextPart[], alphabet: Alphabet): string {
  if (alphabet === 'gsm7') return decodeGsm7(run);
  if (alphabet === 'ucs2') return decodeUcs2(run);
  const bytes = Buffer.concat(run.map((part) => withoutNuls(part.bytes)));
  // Some senders mark UTF-8, which has no data_coding, with its byte order mark.
  if (bytes.subarray(0, 3).equals(UTF8_MARK)) return bytes.toString('utf8', 3);
  return alphabet === 'latin1' ? bytes.toString('latin1') : new TextDecoder(alphabet).decode(bytes);
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function withoutNuls(bytes: Buffer): Buffer {
  const last = bytes.findLastIndex((byte) => byte !== 0);
  return bytes.subarray(0, last + 1);
}

/** UTF-16 in network byte order, unless a byte order mark at the start says otherwise. */
function decodeUcs2(run: readonly TextPart[]): string {
  let text = '';
  let carried = Buffer.alloc(0);
  let isLittleEndian = false;
  for (const [index, { bytes }] of run.entries()) {
    const isAligned = carried.length === 0;
    const all = Buffer.concat([carried, bytes]);
    const whole = all.subarray(0, all.length - (all.length % 2));
    carried = all.subarray(whole.length);
    if (index === 0) isLittleEndian = whole.length > 0 && whole.readUInt16BE(0) === 0xfffe;
    let decoded = (isLittleEndian ? whole : whole.swap16()).toString('utf16le');
    if (isAligned && decoded.startsWith('\ufeff')) decoded = decoded.slice(1);
    // The half of a unit belongs to the next part, so the part does not end with its last whole unit.
    text += carried.length === 0 ? decoded.replace(/\0+$/, '') : decoded;
  }
  return text.replace(/\0+$/, '');
}
