import { foldText } from './fold-text.ts';

/**
 * The blocks of scripts in which words are not separated by spaces, as the inside of a character class, which JavaScript and
 * PostgreSQL read alike: Thai, Lao; Burmese; Hangul; Khmer; Tai Le to Tai Tham; Balinese; Chinese and Japanese to Yi;
 * Hangul, Javanese and more Burmese; Cham to Tai Viet; Hangul; kana; rare Chinese characters. Korean has spaces, but its words
 * are often compounds.
 */
export const UNSPACED =
  '\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u1950-\u1aaf\u1b00-\u1b7f\u2e80-\ua4cf\ua960-\ua9ff\uaa00-\uaadf\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdf\u{1b000}-\u{1b16f}\u{20000}-\u{3ffff}';

/** A word is a run of letters, their marks and digits. */
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
const PARTS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');
const IS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');

/** A search finds the beginnings of words, so the rest of a long one needs no term. */
const TERM_MAX_CHARACTERS = 100;

/** Returns the folded words of a text. */
export function readWords(text: string): string[] {
  const words = foldText(text).match(WORDS) ?? [];
  // A mark alone belongs to a sign, such as an emoji.
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/**
 * Returns the terms of a folded word, for an index that finds the beginnings of terms. In a script without spaces, a word may
 * begin at each character, so a term is two adjacent characters; the last character has a term of its own.
 */
export function toTerms(word: string): string[] {
  if (!IS_UNSPACED.test(word)) return [word.slice(0, TERM_MAX_CHARACTERS)];
  return (word.match(PARTS) ?? []).flatMap((part) => {
    if (!IS_UNSPACED.test(part)) return toTerms(part);
    const characters = Array.from(part);
    return characters.map((character, at) => character + (characters[at + 1] ?? ''));
  });
}

/** Returns whether few words begin with a term of `toSearchTerms`. */
export const isRareTerm = (term: string): boolean =>
  term.length >= 3 || (IS_UNSPACED.test(term) && term.length === 2);

/** Returns the terms with which an index finds a folded word: those of the word, without the last character alone. */
export function toSearchTerms(word: string): string[] {
  return (word.match(PARTS) ?? []).flatMap((part) => {
    const terms = toTerms(part);
    return terms.length > 1 ? terms.slice(0, -1) : terms;
  });
}
