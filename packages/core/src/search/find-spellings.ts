import { foldText } from './fold-text.ts';

/** Where the characters are that `foldText` changes. */
const BLOCKS = [
  [0x41, 0x33ff],
  [0xa640, 0xabff],
  [0xf900, 0x11fff],
  [0x16e40, 0x16eff],
  [0x1ccd6, 0x1daff],
  [0x1e000, 0x1e9ff],
  [0x1ec00, 0x1f2ff],
  [0x1fbf0, 0x1fbf9],
  [0x2f800, 0x2fa1f],
  [0xe0000, 0xe01ef],
] as const;

/** The inverse of `foldText` for single characters. Classes are the inside of a character class. */
export interface Spellings {
  /** The other characters for a folded text, as a class: `ßẞ` for `ss`. */
  of: ReadonlyMap<string, string>;
  /** The keys of `of` with several characters, by their first character. */
  longFrom: ReadonlyMap<string, readonly string[]>;
  /** The class of characters that folding omits. */
  omitted: string;
  /** The class of characters that continue a word and are no letters or decimal digits, such as marks. */
  continuing: string;
}

let spellings: Spellings | undefined;

/** Inverts `foldText` at the first use, which takes some 30 ms. */
export function findSpellings(): Spellings {
  spellings ??= invert();
  return spellings;
}

function invert(): Spellings {
  const of = new Map<string, string>();
  const longFrom = new Map<string, string[]>();
  let omitted = '';
  let continuing = '';
  for (const character of charactersOf(BLOCKS)) {
    const folded = foldText(character);
    if (folded === '') omitted += character;
    else if (/[\p{L}\p{M}\p{N}]$/u.test(folded) && /[^\p{L}\p{Nd}]/u.test(character)) {
      continuing += character;
    }
    if (folded === '' || folded === character) continue;
    const others = of.get(folded);
    of.set(folded, `${others ?? ''}${character}`);
    const [first = ''] = folded;
    if (others === undefined && folded !== first) {
      longFrom.set(first, [...(longFrom.get(first) ?? []), folded]);
    }
  }
  return { of, longFrom, omitted: toRanges(omitted), continuing: toRanges(continuing) };
}

function* charactersOf(blocks: typeof BLOCKS): Generator<string> {
  for (const [first, last] of blocks) {
    for (let code = first; code <= last; code += 1) {
      const character = String.fromCodePoint(code);
      if (character.isWellFormed()) yield character;
    }
  }
}

/** Writes adjacent characters as a range. */
function toRanges(characters: string): string {
  const codes = Array.from(characters, (character) => character.codePointAt(0) ?? 0);
  const starts = codes.filter((code, at) => code - 1 !== codes[at - 1]);
  const ends = codes.filter((code, at) => code + 1 !== codes[at + 1]);
  return starts
    .map((start, at) => [start, ends[at] ?? start])
    .map(([start = 0, end = 0]) =>
      start === end
        ? String.fromCodePoint(start)
        : `${String.fromCodePoint(start)}-${String.fromCodePoint(end)}`,
    )
    .join('');
}
