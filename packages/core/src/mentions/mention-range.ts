import { isAtSign } from './word-limits.ts';

/** The place of a mention in a text: an `@` at `start`, counted in UTF-16 code units, and then the name. */
export interface MentionRange {
  /** The id of the user. */
  id: string;
  start: number;
  /** The name as the text has it. */
  name: string;
}

export const isRangeOf = (text: string, { start, name }: MentionRange): boolean =>
  isAtSign(text[start]) && text.startsWith(name, start + 1);

/** Returns whether the ranges are those of a text, in its order, and do not overlap. */
export function areRangesOf(text: string, ranges: readonly MentionRange[]): boolean {
  let end = 0;
  return ranges.every((range) => {
    const isValid = range.start >= end && isRangeOf(text, range);
    end = range.start + 1 + range.name.length;
    return isValid;
  });
}

/**
 * Replaces the names in a text by the current ones. A range without a current name, or whose text has changed
 * since, is left out, and its text stays as it is.
 */
export function renameMentions(
  text: string,
  ranges: readonly MentionRange[],
  names: ReadonlyMap<string, string>,
): { text: string; ranges: MentionRange[] } {
  const renamed: MentionRange[] = [];
  let written = '';
  let end = 0;
  for (const range of ranges) {
    const { id, start } = range;
    const name = names.get(id);
    if (name === undefined || start < end || !isRangeOf(text, range)) continue;
    written += text.slice(end, start + 1);
    renamed.push({ id, start: written.length - 1, name });
    written += name;
    end = start + 1 + range.name.length;
  }
  return { text: written + text.slice(end), ranges: renamed };
}
