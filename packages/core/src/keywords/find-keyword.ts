import { normalizeKeyword } from './normalize-keyword.ts';

/** What a received text requests. A text is a keyword only if it contains nothing else. */
export type Keyword = 'opt_out' | 'opt_in' | 'help';

export const KEYWORDS = ['opt_out', 'opt_in', 'help'] as const satisfies readonly Keyword[];

/** The words of every workspace. Compared without accents, so ARRET is also ARRÊT. */
const WORDS: Record<Keyword, readonly string[]> = {
  opt_out: [
    'STOP',
    'STOPALL',
    'STOP ALL',
    'UNSUBSCRIBE',
    'CANCEL',
    'END',
    'QUIT',
    'REVOKE',
    'OPTOUT',
    'OPT OUT',
    'REMOVE',
    'TD',
    'ARRET',
  ],
  opt_in: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO'],
};

const BUILT_IN = new Map(
  KEYWORDS.flatMap((keyword) => WORDS[keyword].map((word) => [word, keyword] as const)),
);

/** Returns the keyword that a normalized text is in every workspace; null if it is none. */
export function findKeyword(normalized: string): Keyword | null {
  return BUILT_IN.get(normalized) ?? null;
}

/** The longest word or phrase of a workspace's own, before and after it is normalized. */
export const OWN_WORD_MAX_CHARACTERS = 100;
export const OWN_WORDS_MAX = 50;

export type OwnWords = Record<Keyword, readonly string[]>;

/** A word that cannot be added to a list, with the list that has it already; null for a built-in word. */
export interface KeywordConflict {
  word: string;
  keyword: Keyword;
  other: Keyword;
  isBuiltIn: boolean;
}

/** Returns the keyword of each normalized word of a workspace's own, or the first word in two lists. */
export function indexOwnWords(
  words: OwnWords,
): { index: Map<string, Keyword> } | { conflict: KeywordConflict } {
  const index = new Map<string, Keyword>();
  for (const keyword of KEYWORDS) {
    for (const word of words[keyword]) {
      const normalized = normalizeKeyword(word);
      const builtIn = findKeyword(normalized);
      const other = builtIn ?? index.get(normalized);
      if (other !== undefined && other !== keyword) {
        return { conflict: { word, keyword, other, isBuiltIn: builtIn !== null } };
      }
      index.set(normalized, keyword);
    }
  }
  return { index };
}
