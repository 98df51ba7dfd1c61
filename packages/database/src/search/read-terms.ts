import { findNumberPattern } from '../contacts/match-search.ts';

/** A search has at most this many words; more would not select fewer messages. */
const WORDS_MAX = 8;

/** What a search looks for: messages with all words, or with a number that ends with the digits. */
export interface SearchTerms {
  /** In lower case. Each matches the beginning of a word. */
  words: string[];
  /** The last digits of a number, or null if the text is not part of a number. */
  digits: string | null;
}

/**
 * Reads the text of a search. A word is a run of letters, their marks and digits: without its marks, a word in Thai or Hindi
 * would be several.
 */
export function readTerms(text: string): SearchTerms {
  const words = toLower(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    // A mark alone belongs to a sign, such as an emoji.
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const digits = findNumberPattern(text)?.replaceAll(/\D/g, '') ?? null;
  return { words: [...new Set(words)].slice(0, WORDS_MAX), digits };
}

/** Lowers each character by itself, as PostgreSQL does: `İ` is `i`, and a `Σ` at the end of a word is `σ`. */
const toLower = (text: string): string =>
  Array.from(text, (character) => (character === 'İ' ? 'i' : character.toLowerCase())).join('');

/** The two ways in which Unicode writes a letter with a mark. A text has either. */
const formsOf = (word: string): string[] => [
  ...new Set([word.normalize('NFC'), word.normalize('NFD')]),
];

/** Returns whether a search has no terms, and therefore finds nothing. */
export const isEmpty = ({ words, digits }: SearchTerms): boolean =>
  words.length === 0 && digits === null;

/**
 * The words in the index include the workspace, so that a search never reads the words of another
 * workspace.
 */
const prefixOf = (workspaceId: string): string => workspaceId.slice(-8);

/** The same in SQL, for the workspace `$1`. */
export const PREFIX = `right($1::uuid::text, 8)`;

const NOT_ALPHABETIC = /[^\p{Alphabetic}\p{N}]+/u;

/** A word prefix of at least this many characters is rare. */
const RARE = 3;

/**
 * Returns the query of the index as the text of a `tsquery`. If there are longer words, the query
 * omits short ones: very many words may begin with them, and the texts of the messages are compared
 * with all words anyway.
 */
export function toIndexQuery(workspaceId: string, { words, digits }: SearchTerms): string {
  const prefix = prefixOf(workspaceId);
  const allOf = (given: readonly string[]): string => {
    const rare = given.filter((word) => word.length >= RARE);
    return (rare.length > 0 ? rare : given).map((word) => `'${prefix}${word}':*`).join(' & ');
  };
  const rare = words.filter((word) => word.length >= RARE);
  const allWords = (rare.length > 0 ? rare : words)
    // Which marks end a word in the index depends on the locale of the database: none, or those that are not alphabetic.
    .map((word) =>
      formsOf(word).flatMap((form) => [[form], form.split(NOT_ALPHABETIC).filter(Boolean)]),
    )
    .map((ways) => `(${[...new Set(ways.filter((way) => way.length > 0).map(allOf))].join(' | ')})`)
    .join(' & ');
  if (digits === null) return allWords;
  const number = `'${prefix}+${[...digits].toReversed().join('')}':*`;
  return words.length === 0 ? number : `(${allWords}) | ${number}`;
}

/** Returns a regular expression for each word, which finds it at the beginning of a word. */
export const toPatterns = ({ words }: SearchTerms): string[] =>
  words.map((word) => `(^|[^[:alnum:]])(${formsOf(word).join('|')})`);
