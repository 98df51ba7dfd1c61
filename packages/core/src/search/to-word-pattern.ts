import { findSpellings } from './find-spellings.ts';
import { UNSPACED } from './read-words.ts';

/**
 * Returns the regular expression that finds a folded word at the beginnings of the words of a text, or anywhere in scripts
 * without spaces. It finds all spellings in the text itself: every sequence of characters that `foldText` would change to
 * this one.
 */
export function toWordPattern(word: string, dialect: 'javascript' | 'postgresql'): string {
  const { omitted, continuing } = findSpellings();
  const pattern = toPattern(Array.from(word));
  if (dialect === 'postgresql') {
    return startsUnspaced(word)
      ? pattern
      : `(^|[^[:alnum:]${continuing}${omitted}]|[${UNSPACED}])[${omitted}]*${pattern}`;
  }
  // With the accents of the last letter, which a highlighted match includes.
  const whole = `${pattern}[${omitted}]*`;
  return startsUnspaced(word)
    ? whole
    : `(?<!(?![${UNSPACED}])[\\p{L}\\p{Nd}${continuing}][${omitted}]*)${whole}`;
}

const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
const startsUnspaced = (word: string): boolean => STARTS_UNSPACED.test(word);

/**
 * @param part the text if it is a part of the word that is not its end
 */
function toPattern(characters: readonly string[], part?: string): string {
  const [first] = characters;
  if (first === undefined) return '';
  const { of, longFrom, omitted } = findSpellings();
  const rest = characters.join('');
  const long = (longFrom.get(first) ?? []).filter((each) => each !== part);
  // `ss` in the word may be `ß` in the text.
  const whole = long
    .filter((each) => rest.startsWith(each))
    .toSorted(byLength)
    .at(-1);
  const head =
    whole === undefined
      ? toCharacterPattern(first)
      : `(?:${toPattern(Array.from(whole), whole)}|[${of.get(whole) ?? ''}])`;
  const tail = toPattern(characters.slice(Array.from(whole ?? first).length), part);
  const pattern = tail === '' ? head : `${head}[${omitted}]*${tail}`;
  // The word may end within a character of the text: `stras` is the beginning of `straße`.
  const longer = part === undefined ? long.filter((each) => each.startsWith(rest)) : [];
  const ends = longer.filter((each) => each !== whole).map((each) => of.get(each) ?? '');
  return ends.length === 0 ? pattern : `(?:${pattern}|[${ends.join('')}])`;
}

const byLength = (one: string, other: string): number => one.length - other.length;

/** A text has a letter with a mark of its own, such as a kana or a Hangul syllable, as one character or as several. */
function toCharacterPattern(character: string): string {
  const { of, omitted } = findSpellings();
  const spellings = `[${character}${of.get(character) ?? ''}]`;
  const parts = Array.from(character.normalize('NFD'));
  if (parts.length === 1) return spellings;
  return `(?:${spellings}|${parts.map(toCharacterPattern).join(`[${omitted}]*`)})`;
}
