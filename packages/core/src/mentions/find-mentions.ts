import { fold, foldText } from './fold-text.ts';
import { type MentionRange, isRangeOf } from './mention-range.ts';
import { endsWord, isAtSign, startsWord } from './word-limits.ts';

export interface Person {
  id: string;
  name: string;
}

/** Further mentions of a text have no range. */
export const MENTION_RANGES_MAX = 100;

/**
 * Finds the mentions in a text: an `@` at the start of a word, then a whole name. The longest name counts, so `@Anna`
 * and `@Ann Lee` are not mentions of Ann. A name that several people have mentions none of them, unless only one of
 * them may be meant.
 *
 * @param options.chosen the ranges that are known from elsewhere. They count where the text still has them as whole words.
 * @param options.isMeant returns whether the text may mention a person. The names of the others still count as names.
 */
export function findMentions(
  text: string,
  people: readonly Person[],
  options: { chosen: readonly MentionRange[]; isMeant?(id: string): boolean },
): MentionRange[] {
  const { chosen, isMeant = () => true } = options;
  const { folded, toFolded, toText } = foldText(text);
  const named = people
    .map(({ id, name }) => ({ id, name: fold(name) }))
    .filter(({ name }) => name !== '' && folded.includes(name));
  const ranges: MentionRange[] = [];
  let end = 0;
  for (let start = 0; start < text.length; start += 1) {
    if (ranges.length === MENTION_RANGES_MAX) break;
    if (start < end || !isAtSign(text[start]) || !startsWord(text, start)) continue;
    const range =
      chosen.find((each) => each.start === start && isWhole(text, each)) ?? findName(start);
    if (range === null) continue;
    ranges.push(range);
    end = start + 1 + range.name.length;
  }
  return ranges;

  function findName(start: number): MentionRange | null {
    const from = toFolded[start + 1];
    if (from === undefined) return null;
    let longest = 0;
    let ids: string[] = [];
    for (const { id, name } of named) {
      if (name.length < longest || !folded.startsWith(name, from)) continue;
      const nameEnd = toText[from + name.length];
      if (nameEnd === undefined || !endsWord(text, nameEnd)) continue;
      ids = name.length > longest ? [id] : [...ids, id];
      longest = name.length;
    }
    const [id, ...others] = [...new Set(ids)].filter((each) => isMeant(each));
    if (id === undefined || others.length > 0) return null;
    return { id, start, name: text.slice(start + 1, toText[from + longest]) };
  }
}

const isWhole = (text: string, range: MentionRange): boolean =>
  isRangeOf(text, range) && endsWord(text, range.start + 1 + range.name.length);
