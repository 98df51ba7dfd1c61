import { isRareTerm, readWords, toSearchTerms, toWordPattern } from '@switchboard/core';
import { findNumberPattern } from '../../contacts/match-search.ts';
import { prefixOf } from '../search-index/chunks.ts';

/** A search has at most this many words; more would not select fewer messages. */
const WORDS_MAX = 8;
/** The index is searched for at most this many terms. The texts of the messages are compared with all words anyway. */
const TERMS_MAX = 16;

/** What a search looks for: messages with all words, or with a number that ends with the digits. */
export interface SearchTerms {
  /** Folded. Each matches the beginning of a word. */
  words: string[];
  /** The last digits of a number, or null if the text is not part of a number. */
  digits: string | null;
}

/** Reads the text of a search. */
export function readTerms(text: string): SearchTerms {
  const digits = findNumberPattern(text)?.replaceAll(/\D/g, '') ?? null;
  return { words: [...new Set(readWords(text))].slice(0, WORDS_MAX), digits };
}

/** Returns whether a search has no terms, and therefore finds nothing. */
export const isEmpty = ({ words, digits }: SearchTerms): boolean =>
  words.length === 0 && digits === null;

/**
 * Returns the query of the index as the text of a `tsquery`. If there are rare terms, the query omits the others: very many
 * words may begin with them. It also finds the chunks whose terms are not listed.
 */
export function toIndexQuery(workspaceId: string, { words, digits }: SearchTerms): string {
  const prefix = prefixOf(workspaceId);
  const terms = [...new Set(words.flatMap(toSearchTerms))];
  const rare = terms.filter(isRareTerm);
  const searched = (rare.length > 0 ? rare : terms).slice(0, TERMS_MAX);
  const allTerms = searched.map((term) => `'${prefix}${term}':*`).join(' & ');
  const number = `'${prefix}+${[...(digits ?? '')].toReversed().join('')}':*`;
  return [
    ...(searched.length > 0 ? [`(${allTerms})`] : []),
    ...(digits === null ? [] : [number]),
    `'${prefix}'`,
  ].join(' | ');
}

/** Returns a regular expression for each word, which finds it in a text. */
export const toPatterns = ({ words }: SearchTerms): string[] =>
  words.map((word) => toWordPattern(word, 'postgresql'));
