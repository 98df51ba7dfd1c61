import { NUMBERS_OF_CONTACT } from './stored-contact.ts';

/** Characters that people write within a phone number. */
const NUMBER_TEXT = /^\+?[\d\s()./\u2010-\u2015-]*$/;

/** Returns the condition for contacts `k` that match a search: all words, or part of a number. */
export function matchSearch(search: string, bind: (value: unknown) => string): string {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return 'true';
  // A name has either of the two ways in which Unicode writes a letter with a mark.
  const matches = words.map((word) => {
    const forms = [...new Set([word.normalize('NFC'), word.normalize('NFD')])];
    return `(${forms.map((form) => `search_text LIKE ${bind(toPattern(form))}`).join(' OR ')})`;
  });
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
  // A national number begins with a 0 that its international form lacks.
  const digits = search.replaceAll(/\D/g, '').replace(/^0+/, '');
  return NUMBER_TEXT.test(search.trim()) && digits !== '' ? toPattern(digits) : null;
}

function toPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
