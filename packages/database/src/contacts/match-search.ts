import { foldText } from '@switchboard/core';
import { NUMBERS_OF_CONTACT } from './stored-contact.ts';
import { type Bind } from '../named-statement.ts';

/** Characters that people write within a phone number. */
const NUMBER_TEXT = /^\+?[\d\s()./\u2010-\u2015-]*$/;

/** Returns the condition for contacts `k` that match a search: all words, or part of a number. */
export function matchSearch(search: string, bind: Bind): string {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return 'true';
  const matches = words.map((word) => `search_text LIKE ${bind(toPattern(word))}`);
  const allWords = `(${matches.join(' AND ')})`;
  const number = findNumberPattern(search);
  return number === null
    ? allWords
    : `(${allWords} OR array_to_string(${NUMBERS_OF_CONTACT}, ' ') LIKE ${bind(number)})`;
}

/**
 * Returns the pattern of the numbers that a search matches, or null if the text is not part of a
 * number.
 */
export function findNumberPattern(search: string): string | null {
  const text = foldText(search).trim();
  // A national number begins with a 0 that its international form lacks.
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return NUMBER_TEXT.test(text) && digits !== '' ? toPattern(digits) : null;
}

function toPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
