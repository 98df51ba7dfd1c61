import { z } from 'zod';
import { BODY_MAX_CHARACTERS } from './limits.ts';
import { textUpTo } from './text.ts';

const reply = textUpTo(BODY_MAX_CHARACTERS).nullable();

/** The replies to STOP, START and HELP; null for the built-in text. */
export const keywordReplies = z
  .object({ opt_out: reply, opt_in: reply, help: reply })
  .meta({ id: 'KeywordReplies' });

/** A field that is absent keeps its value. */
export const changeKeywordRepliesRequest = z
  .object({
    opt_out: reply.optional(),
    opt_in: reply.optional(),
    help: reply.optional(),
  })
  .meta({ id: 'ChangeKeywordRepliesRequest' });

export type KeywordReplies = z.infer<typeof keywordReplies>;
