/** The keywords that carriers define. A text is a keyword only if it contains nothing else. */
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

/** Returns the keyword if the trimmed text is one, in upper or lower case, and otherwise null. */
export function findKeyword(body: string): Keyword | null {
  return KEYWORDS.get(body.trim().toUpperCase()) ?? null;
}
