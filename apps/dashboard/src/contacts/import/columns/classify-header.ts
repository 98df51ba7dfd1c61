import { BEGINNINGS, NAMES, PARTS, PERSONS, WORDS } from './header-words.ts';

/** What the name of a column says about it. */
export type HeaderKind =
  | keyof typeof NAMES
  | 'mobile'
  | 'phone'
  /** Phone numbers that belong to the person only if no one shares them. */
  | 'otherPerson'
  /** A number of something: a phone number only if the values are. */
  | 'number'
  /** Not a phone number of the person, whatever the values look like. */
  | 'noPhone'
  | 'unknown';

const SPECIAL_LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  ß: 'ss',
  đ: 'd',
  ı: 'i',
  æ: 'ae',
};
/** The prefix of field columns in our export. */
const FIELD_PREFIX = /^fields\./;

/** Returns the words of a column name in small letters, without accents: `MobilePhone` is `mobile phone`. */
function normalizeHeader(header: string): string {
  return header
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFC')
    .replaceAll(/[łøßđıæ]/g, (letter) => SPECIAL_LETTERS[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const KINDS = new Map<string, HeaderKind>(
  (Object.keys(NAMES) as (keyof typeof NAMES)[]).flatMap((kind) =>
    split(NAMES[kind]).map((name) => [name, kind] as const),
  ),
);
const PERSON_WORDS = split(PERSONS);
const WORD_SETS = mapValues(WORDS, (words) => new Set(split(words)));
const BEGINNING_LISTS = mapValues(BEGINNINGS, split);
const PART_LISTS = mapValues(PARTS, split);

export function classifyHeader(header: string): HeaderKind {
  if (FIELD_PREFIX.test(header.trim())) return 'noPhone';
  const text = normalizeHeader(header);
  const words = text.split(' ');
  const [first = '', ...others] = words;
  const kind =
    KINDS.get(text) ?? (PERSON_WORDS.includes(first) ? KINDS.get(others.join(' ')) : undefined);
  return kind ?? classifyPhone(text, words);
}

function classifyPhone(text: string, words: readonly string[]): HeaderKind {
  const has = (kind: keyof typeof WORDS): boolean =>
    words.some((word) => WORD_SETS[kind].has(word));
  const begins = (kind: keyof typeof BEGINNINGS): boolean =>
    words.some((word) => BEGINNING_LISTS[kind].some((beginning) => word.startsWith(beginning)));
  const contains = (kind: keyof typeof PARTS): boolean =>
    PART_LISTS[kind].some((part) => text.includes(part));
  if (has('excluded') || begins('fax') || contains('excluded')) return 'noPhone';
  const isMobile = has('mobile') || begins('mobile') || contains('mobile');
  // `Mobiltelefon`, `Diensttelefon` and `Telefonnummer` are one word.
  const isPhone =
    has('phone') || begins('phone') || contains('phone') || /telefo?on|phone(?!t)/.test(text);
  if (isMobile || isPhone) {
    if (has('otherPerson')) return 'otherPerson';
    return isMobile || has('mobilePhone') ? 'mobile' : 'phone';
  }
  if (has('identifier')) return 'noPhone';
  return has('number') ? 'number' : 'unknown';
}

function split(words: string): string[] {
  return words.split(',').map(normalizeHeader);
}

function mapValues<Key extends string, From, To>(
  record: Record<Key, From>,
  change: (value: From) => To,
): Record<Key, To> {
  const entries = Object.entries<From>(record).map(([key, value]) => [key, change(value)] as const);
  return Object.fromEntries(entries) as Record<Key, To>;
}
