import type { MentionRange } from '@switchboard/contracts';

/** The text of a note, and where its author chose members for it. */
export interface NoteText {
  body: string;
  ranges: readonly MentionRange[];
}

export const NO_NOTE_TEXT: NoteText = { body: '', ranges: [] };

/** Replaces the text. Ranges move with the text around them; those in the part that changed are removed. */
export function changeBody({ body: before, ranges }: NoteText, body: string): NoteText {
  const shorter = Math.min(before.length, body.length);
  let start = 0;
  while (start < shorter && before[start] === body[start]) start += 1;
  let after = 0;
  while (after < shorter - start && before.at(-1 - after) === body.at(-1 - after)) after += 1;
  const end = before.length - after;
  const moved = ranges.flatMap((range) => {
    if (range.start + 1 + range.name.length <= start) return range;
    if (range.start < end) return [];
    return { ...range, start: range.start + body.length - before.length };
  });
  return { body, ranges: moved };
}

/** Removes the spaces around the text. */
export function trimNote(text: NoteText): NoteText {
  const untilEnd = changeBody(text, text.body.trimEnd());
  return changeBody(untilEnd, untilEnd.body.trimStart());
}
