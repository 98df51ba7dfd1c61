export interface Person {
  id: string;
  name: string;
}

/**
 * Returns the ids of the people that a text mentions. After an `@`, the longest name counts, and it ends where a word
 * ends: `@Anna` is not a mention of Ann.
 *
 * @param chosen the people whom the author chose from the list: of several members with one name, these are meant. A name that
 * was typed, and not chosen, must belong to one member only.
 */
export function findMentions(
  text: string,
  members: readonly Person[],
  chosen: readonly Person[],
): string[] {
  const people = [...chosen, ...members].map(({ id, name }) => ({ id, name: fold(name) }));
  const isChosen = new Set(chosen.map(({ id }) => id));
  const folded = fold(text);
  const ids = new Set<string>();
  for (const { index } of folded.matchAll(/(?<![\p{L}\p{M}\p{N}])@/gu)) {
    const rest = folded.slice(index + 1);
    const named = people.filter(({ name }) => name !== '' && startsWithName(rest, name));
    const longest = Math.max(0, ...named.map(({ name }) => name.length));
    const meant = new Set(named.filter(({ name }) => name.length === longest).map(({ id }) => id));
    const chosenOnes = [...meant].filter((id) => isChosen.has(id));
    for (const id of chosenOnes.length > 0 ? chosenOnes : meant.size === 1 ? meant : [])
      ids.add(id);
  }
  return [...ids];
}

const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/** A letter after a name continues its word, but not in a script that has no spaces between words. */
const CONTINUES =
  /^(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}])[\p{L}\p{M}\p{N}]/u;

const startsWithName = (text: string, name: string): boolean =>
  text.startsWith(name) && !CONTINUES.test(text.slice(name.length));
