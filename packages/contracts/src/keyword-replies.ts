import { OWN_WORDS_MAX, OWN_WORD_MAX_CHARACTERS, normalizeKeyword } from '@switchboard/core';
import { z } from 'zod';
import { BODY_MAX_CHARACTERS } from './limits.ts';
import { nameUpTo, textUpTo } from './text.ts';

const reply = textUpTo(BODY_MAX_CHARACTERS).nullable();

const word = () =>
  nameUpTo(OWN_WORD_MAX_CHARACTERS).refine(
    (value) => {
      const { length } = normalizeKeyword(value);
      return length > 0 && length <= OWN_WORD_MAX_CHARACTERS;
    },
    {
      error: `must have a letter or a digit, and at most ${OWN_WORD_MAX_CHARACTERS} characters`,
    },
  );

const WORDS =
  'Words or phrases in addition to the built-in ones. A received text is one if it contains nothing else; case, accents, emoji, and punctuation at its ends do not matter';

const words = () =>
  z
    .array(word(), 'must be a list of words')
    .max(OWN_WORDS_MAX, `must have at most ${OWN_WORDS_MAX} words`)
    .optional()
    .describe(WORDS);

const storedWords = z.array(z.string()).describe(WORDS);

/** The replies to STOP, START and HELP; null for the built-in text. */
export const keywordReplies = z
  .object({
    opt_out: reply,
    opt_in: reply,
    help: reply,
    opt_out_words: storedWords,
    opt_in_words: storedWords,
    help_words: storedWords,
  })
  .meta({ id: 'KeywordReplies' });

/** A field that is absent keeps its value. */
export const changeKeywordRepliesRequest = z
  .object({
    opt_out: reply.optional(),
    opt_in: reply.optional(),
    help: reply.optional(),
    opt_out_words: words(),
    opt_in_words: words(),
    help_words: words(),
  })
  .meta({ id: 'ChangeKeywordRepliesRequest' });

export type KeywordReplies = z.infer<typeof keywordReplies>;
