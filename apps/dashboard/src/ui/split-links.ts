import { LinkifyIt } from 'linkify-it';
import tlds from 'tlds';
import { toSafeHost } from './safe-host.ts';

/** Endings of files that are also top-level domains. Without a scheme, they name a file. */
const FILE_ENDINGS = new Set(['mov', 'zip']);

const linkify = new LinkifyIt({
  fuzzyLink: true,
  urlAuth: true,
  tlds: tlds.filter((tld) => !FILE_ENDINGS.has(tld)),
}).add('//');

/**
 * Ends of an address that `linkify-it` misses: punctuation of other scripts before an `@`, and characters without a
 * glyph, which could hide or reorder what follows. U+200C and U+200D are part of words and of emoji.
 */
const ENDS = /(?=\P{ASCII})(?![\u200c\u200d])[\p{P}\p{Cf}]/gu;
/**
 * Scripts without spaces between words, or whose words take endings without one (`를`). Directly after a Latin letter or a
 * digit, a letter of theirs begins the next word and ends the address. After `/`, `_` or `=` it belongs to the address.
 */
const JOINED = 'Han Hiragana Katakana Hangul Bopomofo Thai Lao Khmer Myanmar'
  .split(' ')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
const WORD_AFTER_HOST = new RegExp(`([.:][a-z\\d-]+)([${JOINED}])(?=[^.]*$)`, 'iu');
const WORD_AFTER_PATH = new RegExp(`([^a-z\\d%${JOINED}][a-z\\d%]+)([${JOINED}])`, 'iu');
/** A host, and the rest of an address. */
const HOST_AND_REST = /((?:https?:\/\/)?[^\s/?#]+)([/?#]\S*)?/giu;
/** Where words have no spaces, an address follows a letter. */
const LETTER_BEFORE = /\P{ASCII}(?=https?:\/\/)/giu;
const blank = (character: string): string => ' '.repeat(character.length);
const blankSecond = (_: string, kept: string, character: string): string => kept + blank(character);
const blankNextWord = (_: string, host: string, rest = ''): string =>
  host.replace(WORD_AFTER_HOST, blankSecond) + rest.replace(WORD_AFTER_PATH, blankSecond);

/** Scheme, user, host and rest of an address as browsers read them. A backslash is a slash. */
const ADDRESS = /^((?:https?:\/\/)?)((?:[^/?#\\]*@)?)(\[[^\]]*\]|[^/?#\\:]*)(.*)$/isu;

export interface TextPart {
  text: string;
  /** Null for text that is not a link. */
  href: string | null;
  /** The address in the original text, if the part shows a safer form of it. */
  written?: string;
}

/**
 * Splits a text into links and other parts. Joined, they are the original text, but an address that could pass for another
 * one shows the host to which it leads: in punycode, and without a user before it.
 */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  const searched = text
    .replace(ENDS, blank)
    .replace(LETTER_BEFORE, blank)
    .replace(HOST_AND_REST, blankNextWord);
  for (const { index, lastIndex, url } of linkify.match(searched) ?? []) {
    const link = readLink(text.slice(index, lastIndex), url);
    if (link === null) continue;
    if (index > end) parts.push({ text: text.slice(end, index), href: null });
    parts.push(link);
    end = lastIndex;
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null });
  return parts;
}

/** Returns null for an address that is not one of the web. */
function readLink(written: string, address: string): TextPart | null {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, href } = new URL(address);
  if (!/^https?:$/.test(protocol)) return null;
  const [, scheme = '', user = '', host = '', rest = ''] = ADDRESS.exec(written) ?? [];
  const text = `${scheme}${user === '' ? toSafeHost(host, hostname) : hostname}${rest}`;
  return { text, href, ...(text !== written && { written }) };
}
