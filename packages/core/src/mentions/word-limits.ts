import { UNSPACED } from '../search/read-words.ts';

/** A letter of a script without spaces between words neither continues a word nor prevents one from starting. */
const SCRIPT = `[${UNSPACED}]`;

/** `bob@`, `bob.lee+x@` and `@@` are parts of addresses. */
const IN_ADDRESS = new RegExp(
  String.raw`(?:(?!${SCRIPT})[\p{L}\p{M}\p{N}][._+%=&#~-]*|[@＠])$`,
  'u',
);

/** More characters before an `@` are not read, so that a text without spaces takes no longer than another. */
const ADDRESS_MAX = 256;
const LAST_WORD = /(?<!\S)\S*$/u;

/** The start of the host or of the scheme of a web address. */
const IN_HOST = /[\p{L}\p{N}][.:]/u;

/** `@bob_x`, `@bob@corp`, `@bob.com` and `@Anna-Lena` are not the name alone; `@Bob.` and `@Bob’s` are. */
const CONTINUES = new RegExp(
  String.raw`^(?:(?!${SCRIPT})[\p{L}\p{M}\p{N}_]|[@＠]|[+-](?!${SCRIPT})[\p{L}\p{N}]|\.[\p{Ll}\p{N}])`,
  'u',
);

/** Japanese and Chinese input methods write the full-width character. */
export const isAtSign = (character: string | undefined): boolean =>
  character === '@' || character === '＠';

/** Returns whether a word may start at an index: not within an email address, a handle or a web address. */
export function startsWord(text: string, index: number): boolean {
  const [token = ''] = text.slice(Math.max(0, index - ADDRESS_MAX), index).match(LAST_WORD) ?? [];
  if (IN_ADDRESS.test(token)) return false;
  const host = token.search(IN_HOST);
  return host === -1 || !token.includes('/', host);
}

/** Returns whether a name that ends before an index is a whole word there. */
export const endsWord = (text: string, index: number): boolean =>
  !CONTINUES.test(text.slice(index, index + 4));
