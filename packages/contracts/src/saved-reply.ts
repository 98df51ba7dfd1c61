import { z } from 'zod';
import { BODY_MAX_CHARACTERS } from './limits.ts';
import { pageOf } from './page.ts';
import { pagingQuery } from './query.ts';
import { nameUpTo, textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

const name = nameUpTo(100);
const body = textUpTo(BODY_MAX_CHARACTERS).refine((value) => value.trim() !== '', {
  error: 'must not be empty',
});

export const addSavedReplyRequest = z.object({ name, body }).meta({ id: 'AddSavedReplyRequest' });

export const changeSavedReplyRequest = z
  .object({ name: name.optional(), body: body.optional() })
  .meta({ id: 'ChangeSavedReplyRequest' });

export const savedReply = z
  .object({
    id: z.uuid(),
    name: z.string(),
    body: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'SavedReply' });

export const savedReplyList = pageOf(savedReply).meta({ id: 'SavedReplyList' });

export const savedRepliesQuery = pagingQuery.extend({
  search: textUpTo(100).optional().describe('Words from a name or text'),
});

export type SavedReply = z.infer<typeof savedReply>;
