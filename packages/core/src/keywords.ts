/** What carriers require of a text that consists of nothing but one of these words. */
export type Keyword = 'opt_out' | 'opt_in' | 'help';

const WORDS: Record<Keyword, readonly string[]> = {
  opt_out: [
    'STOP',
    'STOPALL',
    'UNSUBSCRIBE',
    'CANCEL',
    'END',
    'QUIT',
    'REVOKE',
    'OPTOUT',
    'OPT OUT',
  ],
  opt_in: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO'],
};

const KEYWORDS = new Map(
  (Object.keys(WORDS) as Keyword[]).flatMap((keyword) =>
    WORDS[keyword].map((word) => [word, keyword] as const),
  ),
);

/** The keyword that the whole trimmed text is, in any case; null for any other text. */
export function findKeyword(body: string): Keyword | null {
  return KEYWORDS.get(body.trim().toUpperCase()) ?? null;
}
