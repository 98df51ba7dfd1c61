import { countSegments } from './segments.ts';

/**
 * Typographic characters outside GSM-7, by the plain characters that mean the same. No letter is here: replacing one
 * changes a name or a word.
 */
const PLAIN_FORMS: Readonly<Record<string, string>> = {
  "'": '‘’‚‛′‵❛❜`´',
  '"': '“”„‟«»″‶❝❞〝〞〟',
  '<': '‹',
  '>': '›',
  // Hyphens, dashes, the minus sign and the hyphen bullet.
  '-': '\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212',
  _: '‗',
  '.': '․',
  '..': '‥',
  '...': '…⋯',
  '/': '⁄∕',
  ':': '∶',
  '*': '∗⁎',
  // The tab, the no-break space, and spaces of other widths.
  ' ': '\t\u00A0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000',
  // Vertical tab, next line, line separator, paragraph separator.
  '\n': '\u000B\u0085\u2028\u2029',
  // Invisible: the soft hyphen, zero-width spaces and joiners, the byte order mark, and the marks around copied numbers
  // that set the direction of writing, which has no effect on characters of GSM-7.
  '': '\u00AD\u200B\u200C\u200D\u200E\u200F\u2060\u2066\u2067\u2068\u2069\u202A\u202B\u202C\uFEFF',
};

const FORMS = new Map([
  ...Object.entries(PLAIN_FORMS).flatMap(([plain, forms]) =>
    [...forms].map((form): [string, string] => [form, plain]),
  ),
  ...listWideForms(),
]);

/** Returns the full-width and small forms of punctuation, symbols and digits, with their usual forms. */
function listWideForms(): [string, string][] {
  const ranges = [
    [0xff01, 0xff65],
    [0xffe0, 0xffe6],
    [0xfe50, 0xfe6b],
  ] as const;
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n)).flatMap(
      (form): [string, string][] => {
        const usual = form.normalize('NFKC');
        const plain = usual === '—' ? '-' : usual;
        const isPlain = plain.length === 1 && countSegments(plain).encoding === 'GSM-7';
        return isPlain && !/\p{L}/u.test(plain) ? [[form, plain]] : [];
      },
    ),
  );
}

const HAS_FORM = new RegExp(`[${[...FORMS.keys()].map(toEscape).join('')}]|\\p{M}`, 'u');

function toEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * Returns the text with plain characters instead of typographic ones, if it is then in GSM-7 and has no more segments.
 * Otherwise returns the text itself: replacing only some of the characters would gain nothing. A letter with a combining
 * accent becomes the one character that Unicode defines as equal.
 *
 * @example preferGsm7('“Hi” – see you…') === '"Hi" - see you...'
 */
export function preferGsm7(text: string): string {
  if (!HAS_FORM.test(text)) return text;
  const plain = [...text.normalize('NFC')].map((each) => FORMS.get(each) ?? each).join('');
  const { encoding, segments } = countSegments(plain);
  return encoding === 'GSM-7' && segments <= countSegments(text).segments ? plain : text;
}

/** What `preferGsm7` does to a text. */
export interface Gsm7Change {
  text: string;
  /** The distinct characters that are replaced, in order of appearance. */
  replaced: readonly { character: string; by: string }[];
  segmentsSaved: number;
}

/** Describes what `preferGsm7` would change in a text; null if it would change nothing. */
export function describeGsm7Change(given: string): Gsm7Change | null {
  const text = preferGsm7(given);
  if (text === given) return null;
  const found = [...new Set(given.normalize('NFC'))].flatMap((character) => {
    const by = FORMS.get(character);
    return by === undefined ? [] : [{ character, by }];
  });
  const segmentsSaved = countSegments(given).segments - countSegments(text).segments;
  return { text, replaced: found, segmentsSaved };
}
