/** Any two texts of one language share shorter runs. */
const SHARED_RUN = 4;

/**
 * Returns whether a text that the provider reports may be our text after the provider changed it: with
 * a prefix or suffix, shortened, re-encoded or redacted.
 *
 * The rule: the texts must share four consecutive letters or digits, without regard to case, accents,
 * spaces and punctuation. A text with fewer letters and digits than that, for example a redacted one,
 * may always be ours. If our text has fewer, any text may be ours.
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
 * Returns whether the response to our own request contains our text: unchanged, with text around
 * it, re-encoded or redacted. This is stricter than `mayBeAltered`, because the response to another
 * request may contain a text from the same template.
 */
export function containsText(ours: string, theirs: string | null): boolean {
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
