import { z } from 'zod';
import { BODY_MAX_CHARACTERS } from './limits.ts';
import { textUpTo } from './text.ts';

const reply = textUpTo(BODY_MAX_CHARACTERS).nullable();

/** What STOP, START and HELP are answered with; null for the words of the service. */
export const keywordReplies = z
  .object({ opt_out: reply, opt_in: reply, help: reply })
  .meta({ id: 'KeywordReplies' });

/** What is left out stays as it is. */
export const changeKeywordRepliesRequest = z
  .object({
    opt_out: reply.optional(),
    opt_in: reply.optional(),
    help: reply.optional(),
  })
  .meta({ id: 'ChangeKeywordRepliesRequest' });

export type KeywordReplies = z.infer<typeof keywordReplies>;
