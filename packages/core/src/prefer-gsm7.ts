import { BODY_MAX_CHARACTERS, countSegments } from './segments.ts';

/**
 * Typographic characters outside GSM-7, by the plain characters that mean the same. No letter is here: replacing one
 * changes a name or a word. Nor is the backtick, which people type in passwords, or the fraction slash: 21⁄2 is not 21/2.
 */
const PLAIN_FORMS: Readonly<Record<string, string>> = {
  "'": '‘’‚‛′‵❛❜´',
  '"': '“”„‟«»″‶❝❞〝〞〟',
  '<': '‹',
  '>': '›',
  // Hyphens, dashes, the minus sign and the hyphen bullet.
  '-': '\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212',
  _: '‗',
  '.': '․',
  '..': '‥',
  '...': '…⋯',
  '/': '∕',
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

/** The signs of ohm, kelvin and ångström, and the Greek question mark, by the characters that Unicode defines as equal. */
const EQUALS: Readonly<Record<string, string>> = {
  Ω: '\u2126',
  K: '\u212A',
  Å: '\u212B',
  ';': '\u037E',
};

const FORMS = new Map([
  ...Object.entries({ ...PLAIN_FORMS, ...EQUALS }).flatMap(([plain, forms]) =>
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

/** Matches a character that has a plain form, and a character with one combining mark, which may be one letter. */
const CHANGEABLE = new RegExp(`[${[...FORMS.keys()].map(toEscape).join('')}]|\\P{M}\\p{M}`, 'gu');

function toEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Of each match by itself: to normalize a long run of marks takes quadratic time. */
const toPlainForm = (found: string): string => FORMS.get(found) ?? found.normalize('NFC');

/**
 * Returns the text with plain characters instead of typographic ones, if it is then in GSM-7, has no more segments and is
 * not too long, and no link is changed. Otherwise returns the text itself: replacing only some of the characters would gain
 * nothing. A letter with a combining accent becomes the one character that Unicode defines as equal.
 *
 * @example preferGsm7('“Hi” – see you…') === '"Hi" - see you...'
 */
export function preferGsm7(text: string): string {
  const plain = text.replace(CHANGEABLE, toPlainForm);
  if (plain === text || plain.length > BODY_MAX_CHARACTERS) return text;
  const { encoding, segments } = countSegments(plain);
  if (encoding !== 'GSM-7' || segments > countSegments(text).segments) return text;
  return changesLink(text) ? text : plain;
}

/**
 * The beginning of a link: a scheme, or a dot inside a domain. After `Thanks.We’re`, the apostrophe shows that this is the
 * end of a sentence.
 */
const LINK = /https?:\/\/|[\p{L}\p{N}]\.\p{L}{2}(?![\p{L}\p{N}]*[‘’])/iu;

/** Returns whether a character would be replaced inside a link, which would then lead elsewhere. */
function changesLink(text: string): boolean {
  return text.split(/\s+/u).some((word) => {
    const start = word.search(LINK);
    if (start < 0) return false;
    const link = Array.from(word.slice(start));
    // The quotes and dots after a link are not part of it.
    const end = link.findLastIndex((character) => /[\p{L}\p{N}\p{M}/]/u.test(character));
    const inside = link.slice(0, end + 1).join('');
    return inside.replace(CHANGEABLE, toPlainForm) !== inside;
  });
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
  const found = [...new Set(given.match(CHANGEABLE))].map((character) => ({
    character,
    by: toPlainForm(character),
  }));
  const segmentsSaved = countSegments(given).segments - countSegments(text).segments;
  return { text, replaced: found, segmentsSaved };
}
