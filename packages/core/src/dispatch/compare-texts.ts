/** Shorter runs are in any two texts of a language. */
const SHARED_RUN = 4;

/**
 * Whether a text that the provider tells may be ours after a change of the provider's: with a prefix
 * or suffix, shortened, re-encoded, or redacted.
 *
 * The line: two texts share something if they have four letters or digits in a row in common, case,
 * accents, spaces and punctuation aside. A text with fewer letters and digits than that, redacted
 * ones among them, can't be told from ours, and neither can any text where ours has fewer.
 */
export function mayBeAltered(ours: string, theirs: string | null): boolean {
  const [mine, other] = [lettersOf(ours), lettersOf(theirs ?? '')];
  if (mine.length < SHARED_RUN || other.length < SHARED_RUN || isRedacted(other)) return true;
  const runs = new Set<string>();
  for (let i = 0; i + SHARED_RUN <= mine.length; i += 1) runs.add(mine.slice(i, i + SHARED_RUN));
  for (let i = 0; i + SHARED_RUN <= other.length; i += 1) {
    if (runs.has(other.slice(i, i + SHARED_RUN))) return true;
  }
  return false;
}

/**
 * Whether an answer to our own request tells our text: as it is, with something put around it,
 * re-encoded, or redacted. Stricter than `mayBeAltered`, because the answer of another request may
 * tell a text from the same template.
 */
export function tellsText(ours: string, theirs: string | null): boolean {
  if (theirs === null || theirs === '' || theirs.includes(ours)) return true;
  const [mine, other] = [lettersOf(ours), lettersOf(theirs)];
  return isRedacted(other) || (mine !== '' && other.includes(mine));
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function isRedacted(letters: string): boolean {
  return letters === '' || letters === 'redacted' || /^x+$/.test(letters);
}
