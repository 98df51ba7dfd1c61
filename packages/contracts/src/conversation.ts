import { AppError, MENTION_RANGES_MAX, areRangesOf } from '@switchboard/core';
import { z } from 'zod';
import { contact } from './contact.ts';
import { message } from './message.ts';
import { pageOf } from './page.ts';
import { pageLimit } from './query.ts';
import { text, textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

/** Unread messages beyond this number are not counted. */
export const UNREAD_MAX = 100;
const NOTE_MAX_CHARACTERS = 2_000;
const MENTIONS_MAX = 20;

const person = z.object({ id: z.uuid(), name: z.string() });
const state = z.enum(['open', 'closed'], 'must be open or closed');

/** A phone number outside the workspace, with the latest message to or from it. */
export const conversation = z
  .object({
    number: z.string(),
    last_message: message,
    contact: z.object(contact.shape).nullable(),
    unread_count: z
      .number()
      .describe(
        `Received messages that no member has read; ${UNREAD_MAX} also stands for any larger number`,
      ),
    assignee: person.nullable(),
    state: state.describe('A received message reopens a closed conversation'),
    opted_out: z.boolean().describe('The service refuses messages to this number'),
    opt_out_suspected: z
      .boolean()
      .describe(
        'A received sentence may be a request for no more messages. An opt-out of the number confirms it',
      ),
  })
  .meta({ id: 'Conversation' });

/** Given twice: Zod reports the error of the id where only the id nearly matches. */
const ASSIGNEE = 'must be me, none or the id of a member';

export const conversationsQuery = z.object({
  after: z
    .uuid('must be the `next` of an earlier page of this list')
    .optional()
    .describe('The `next` of the previous page'),
  state: state.optional(),
  assignee: z
    .union([z.enum(['me', 'none']), z.uuid(ASSIGNEE)], ASSIGNEE)
    .optional()
    .describe('`me`, `none` for conversations without an assignee, or the id of a member'),
  unread: z
    .literal('true', 'must be true')
    .optional()
    .describe('Only conversations with unread messages'),
  search: textUpTo(100)
    .optional()
    .describe(
      'Words from a contact, or part of a number. Numbers without a contact are found among the latest 20,000 messages',
    ),
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

export const threadQuery = z.object({
  after: z
    .uuid('must be the `next` of an earlier page of this list')
    .optional()
    .describe('The `next` of the previous page'),
  limit: pageLimit,
});

export const changeConversationRequest = z
  .object({
    state: state.optional(),
    assignee_id: z.uuid('must be the id of a member, or null').nullable().optional(),
    opt_out_suspected: z
      .literal(false, 'must be false; add an opt-out to confirm it')
      .optional()
      .describe('False dismisses a suspected opt-out'),
  })
  .meta({ id: 'ChangeConversationRequest' });

export const readConversationRequest = z
  .object({
    message_id: z
      .uuid('must be the id of a message')
      .optional()
      .describe('The last message that was read. Defaults to the latest message'),
  })
  .meta({ id: 'ReadConversationRequest' });

const RANGES = 'must be the places of names in `body`, in its order, of ids in `mentions`';

const mentionRange = z.object({
  id: z.uuid(RANGES),
  start: z.int(RANGES).min(0, RANGES).describe('The place of the `@`, in UTF-16 code units'),
  name: z.string(RANGES).describe('The text after the `@`'),
});

export const addNoteRequest = z
  .object({
    body: text()
      .refine((value) => value.trim() !== '' && value.length <= NOTE_MAX_CHARACTERS, {
        error: `must have 1 to ${NOTE_MAX_CHARACTERS} characters`,
      })
      .meta({ minLength: 1, maxLength: NOTE_MAX_CHARACTERS }),
    mentions: z
      .array(z.uuid('must be the id of a member'), 'must be a list of ids')
      .max(MENTIONS_MAX, `must have at most ${MENTIONS_MAX} ids`)
      .optional()
      .describe('The ids of the members that the note mentions'),
    mention_ranges: z
      .array(mentionRange, RANGES)
      .max(MENTION_RANGES_MAX, `must have at most ${MENTION_RANGES_MAX} ranges`)
      .optional()
      .describe(
        'Where the text has the names of the members in `mentions`. Needed only for members with the same name: the service finds other names after an `@`',
      ),
  })
  .meta({ id: 'AddNoteRequest' });

/** Replaces the text and the mentions. */
export const editNoteRequest = z.object(addNoteRequest.shape).meta({ id: 'EditNoteRequest' });

/** Checks that the ranges are those of the text. Separate, because the schema checks each field for itself. */
export function parseNote(request: NoteRequest) {
  const { body, mentions = [], mention_ranges: mentionRanges = [] } = request;
  if (!areRangesOf(body, mentionRanges) || mentionRanges.some(({ id }) => !mentions.includes(id)))
    throw new AppError('invalid_params', `\`mention_ranges\` ${RANGES}`);
  return { body, mentions, mentionRanges };
}

export const note = z
  .object({
    id: z.uuid(),
    number: z.string(),
    author: person.nullable().describe('Null if the user was deleted'),
    body: z.string().describe('With the current names of the members in `mention_ranges`'),
    mentions: z.array(person),
    mention_ranges: z
      .array(mentionRange)
      .describe('Where `body` mentions members by name. A name of a deleted user is only text'),
    created_at: timestamp,
    removed_at: timestamp
      .nullable()
      .describe(
        'When the note was removed. Its `body`, `mentions` and `mention_ranges` are then empty',
      ),
    edited_at: timestamp
      .nullable()
      .describe('When its author last edited it; null if it was never edited'),
  })
  .meta({ id: 'Note' });

export const noteList = pageOf(note).meta({ id: 'NoteList' });

export type Conversation = z.infer<typeof conversation>;
export type ConversationList = z.infer<typeof conversationList>;
export type NoteRequest = z.infer<typeof addNoteRequest>;
export type Note = z.infer<typeof note>;
