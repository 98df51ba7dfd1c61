import { z } from 'zod';
import { message } from './message.ts';

/** A phone number outside the workspace, with the latest message to or from it. */
export const conversation = z
  .object({ number: z.string(), last_message: message })
  .meta({ id: 'Conversation' });

export const conversationsQuery = z.object({
  after: z
    .uuid('must be the `next` of an earlier page of this list')
    .optional()
    .describe('The `next` of the previous page'),
});

/** An exact total would have to read the whole history, so this list has none. */
export const conversationList = z
  .object({
    data: z.array(conversation),
    next: z
      .uuid()
      .nullable()
      .describe('The value of `after` for the next page; null on the last page'),
  })
  .meta({ id: 'ConversationList' });

export type Conversation = z.infer<typeof conversation>;
export type ConversationList = z.infer<typeof conversationList>;
