import { ALPHABETS, type Encoding, FREQUENT, OF_LANGUAGE, decode } from './encodings.ts';

/** As many bytes show the encoding as reliably as a whole file. */
const SAMPLE_BYTES = 262_144;
/** How much more an encoding of the person's language counts. */
const LANGUAGE_BONUS = 0.05;

/**
 * Detects the encoding of a table: a byte order mark, UTF-16 by the zero bytes of its digits and separators, UTF-8 by its
 * form, and otherwise the encoding whose letters make the most sense. The person sees the result and can change it.
 */
export function detectEncoding(bytes: Uint8Array<ArrayBuffer>, language: string): Encoding {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const wide = findWideEncoding(sample);
  if (wide !== null) return wide;
  if (hasEscapes(sample)) return 'iso-2022-jp';
  if (isMostlyUtf8(bytes)) return 'utf-8';
  return findLegacyEncoding(sample, language);
}

function findWideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0];
  bytes.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const pairs = bytes.length / 2;
  if (odd > pairs / 10 && even < odd / 10) return 'utf-16le';
  return even > pairs / 10 && odd < even / 10 ? 'utf-16be' : null;
}

/** The escape sequences of ISO-2022-JP, whose bytes are otherwise those of ASCII. */
function hasEscapes(bytes: Uint8Array): boolean {
  return bytes.some((byte, at) => byte === 0x1b && bytes[at + 1] === 0x24);
}

/** A file that several programs wrote may have a few characters in another encoding. */
function isMostlyUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  const text = decode(bytes, 'utf-8');
  const wrong = text.match(/\uFFFD/g)?.length ?? 0;
  if (wrong === 0) return true;
  const others = text.match(/[^\p{ASCII}\uFFFD]/gu)?.length ?? 0;
  return wrong <= others / 10;
}

function findLegacyEncoding(bytes: Uint8Array<ArrayBuffer>, language: string): Encoding {
  const favored = OF_LANGUAGE[language.split('-', 1)[0] ?? ''] ?? [];
  let best: Encoding = 'windows-1252';
  let bestScore = 0;
  const compare = (encoding: Encoding, score: number): void => {
    const total = score + (favored.includes(encoding) ? LANGUAGE_BONUS : 0);
    if (total > bestScore) [best, bestScore] = [encoding, total];
  };
  for (const encoding of Object.keys(ALPHABETS) as Encoding[]) {
    compare(encoding, rateLetters(decode(bytes, encoding), encoding));
  }
  for (const encoding of Object.keys(FREQUENT) as Encoding[]) {
    compare(encoding, ratePairs(bytes, FREQUENT[encoding]));
  }
  return best;
}

const LETTER = /\p{L}/u;
/**
 * Letters that show a wrong encoding: a capital within a word, a word in two scripts, a Thai mark without its letter, and an
 * õ that is no Portuguese one, which is the Hungarian ő in another encoding.
 */
const IMPLAUSIBLE = [
  /\p{Ll}\p{Lu}/gu,
  /[A-Za-z][\u0370-\u06FF\u0E00-\u0E7F]|[\u0370-\u06FF\u0E00-\u0E7F][A-Za-z]/g,
  /(?<![\u0E01-\u0E4E])[\u0E31\u0E34-\u0E3A\u0E47-\u0E4E]/g,
];
const NOT_PORTUGUESE = /[õÕ](?![eE])/g;

/** Returns the share of the characters beyond ASCII that are plausible, from 0 to 1. */
function rateLetters(text: string, encoding: Encoding): number {
  const counts = new Map<string, number>();
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  let all = 0;
  let marks = 0;
  for (const { 0: character, index } of text.matchAll(/[^\p{ASCII}\u00A0]/gu)) {
    all += 1;
    if (MARK.test(character))
      marks += ratePunctuation(text[index - 1] ?? '', text[index + 1] ?? '');
    else counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  if (all === 0) return 0;
  const hits = ALPHABETS[encoding]?.map((alphabet) =>
    [...counts].reduce(
      (sum, [character, times]) => sum + (alphabet.includes(character.toLowerCase()) ? times : 0),
      0,
    ),
  );
  const isWestern = encoding === 'windows-1252' || encoding === 'macintosh';
  const patterns = isWestern ? [...IMPLAUSIBLE, NOT_PORTUGUESE] : IMPLAUSIBLE;
  const penalty = patterns.reduce((sum, pattern) => sum + count(pattern), 0);
  return (Math.max(0, ...(hits ?? [])) + marks - penalty) / all;
}

/** Quotation marks and dashes. */
const MARK = /[\u2018-\u201E\u2013\u2014]/;

/** O’Brien, Maya’s and a dash between spaces are plausible, Mar’a and Nu–ez are letters of another encoding. */
function ratePunctuation(before: string, after: string): number {
  const isInWord = LETTER.test(before) && LETTER.test(after);
  return !isInWord || isUpper(after) || after === 's' ? 1 : 0.5;
}

const isUpper = (character: string): boolean => /\p{Lu}/u.test(character);

/** Returns the share of the characters beyond ASCII that are frequent ones, from 0 to 1. */
function ratePairs(bytes: Uint8Array, frequent: (typeof FREQUENT)[Encoding]): number {
  if (frequent === undefined) return 0;
  const { first, second, single = [0, 0] } = frequent;
  let all = 0;
  let hits = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const [byte = 0, next = 0] = [bytes[at], bytes[at + 1]];
    if (byte < 0x80) continue;
    all += 1;
    if (isIn(byte, single)) {
      // Words of such characters have several; a letter of a Western name stands alone.
      if (isIn(next, single) || isIn(bytes[at - 1] ?? 0, single)) hits += 1;
      continue;
    }
    if (!isIn(next, second)) continue;
    if (first.some((range) => isIn(byte, range))) hits += 1;
    at += 1;
  }
  return all === 0 ? 0 : hits / all;
}

const isIn = (byte: number, [first, last]: readonly [number, number]): boolean =>
  byte >= first && byte <= last;
