export interface FoldedText {
  folded: string;
  /** The index in the folded text of each character of the text that begins there. */
  toFolded: (number | undefined)[];
  /** The index in the text of each index of the folded text where a character begins or the text ends. */
  toText: (number | undefined)[];
}

/**
 * Removes the differences between two spellings of a name: case, composed and decomposed letters, kinds of spaces,
 * and invisible characters such as direction marks. The result for a text is that for its characters, joined.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    // The form of a sigma depends on what follows it.
    .replaceAll('ς', 'σ')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');

/** Folds a text, and keeps the places of its characters. */
export function foldText(text: string): FoldedText {
  const toFolded: (number | undefined)[] = [];
  const toText: (number | undefined)[] = [];
  let folded = '';
  for (const { 0: character, index } of text.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    toFolded[index] = folded.length;
    toText[folded.length] = index;
    folded += fold(character);
  }
  toText[folded.length] = text.length;
  return { folded, toFolded, toText };
}
