import { z } from 'zod';
import { message } from './message.ts';

/** A number outside the workspace, with the last that was said to or by it. */
export const conversation = z
  .object({ number: z.string(), last_message: message })
  .meta({ id: 'Conversation' });

export const conversationsQuery = z.object({
  after: z
    .uuid('must be a `next` of this list')
    .optional()
    .describe('The `next` of the page before'),
});

/** An exact total would have to read the whole history, so this list has none. */
export const conversationList = z
  .object({
    data: z.array(conversation),
    next: z.uuid().nullable().describe('For `after`; null at the end'),
  })
  .meta({ id: 'ConversationList' });

export type Conversation = z.infer<typeof conversation>;
export type ConversationList = z.infer<typeof conversationList>;
