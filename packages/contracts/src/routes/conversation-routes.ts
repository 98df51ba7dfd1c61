import { QUOTAS, quotaExceeded } from '@switchboard/core';
import {
  addNoteRequest,
  changeConversationRequest,
  conversation,
  conversationList,
  conversationsQuery,
  editNoteRequest,
  note,
  noteList,
  readConversationRequest,
  threadQuery,
} from '../conversation.ts';
import { foundMessages } from '../message.ts';
import { pagingQuery } from '../query.ts';
import { defineRoute } from './define-route.ts';
import { forSessions } from './workspace-paths.ts';

const tag = 'Conversations';
const noMessages = 'The workspace has no message from or to this number';
const notMember = (parameter: string): string => `\`${parameter}\` must be the id of a member`;

export const conversationRoutes = {
  listConversations: defineRoute({
    method: 'GET',
    paths: forSessions('/conversations'),
    tag,
    summary: 'List conversations, latest message first',
    description:
      'A page has at most 50 conversations. Any page may have fewer, not only the last one.',
    freshness: 'may_lag',
    shorterRead:
      'add one of the filters `state`, `assignee` and `unread`, or search for more words',
    query: conversationsQuery,
    response: { status: 200, schema: conversationList },
  }),

  getConversation: defineRoute({
    method: 'GET',
    paths: forSessions('/conversations/{number}'),
    tag,
    summary: 'Get a conversation',
    response: { status: 200, schema: conversation },
    errors: { not_found: noMessages },
  }),

  listThread: defineRoute({
    method: 'GET',
    paths: forSessions('/conversations/{number}/messages'),
    tag,
    summary: 'List the messages from and to a number, newest first',
    freshness: 'may_lag',
    query: threadQuery,
    response: { status: 200, schema: foundMessages },
    errors: { not_found: noMessages },
  }),

  changeConversation: defineRoute({
    method: 'PATCH',
    paths: forSessions('/conversations/{number}'),
    tag,
    summary: 'Close, open or assign a conversation',
    description:
      'A parameter that is absent keeps its value. `assignee_id: null` unassigns the conversation.',
    body: changeConversationRequest,
    response: { status: 200, schema: conversation },
    errors: { not_found: noMessages, invalid_params: notMember('assignee_id') },
  }),

  readConversation: defineRoute({
    method: 'POST',
    paths: forSessions('/conversations/{number}/read'),
    tag,
    summary: 'Mark the messages of a conversation as read',
    description:
      'The messages are then read for every member. A message that has been read stays read.',
    body: readConversationRequest,
    response: { status: 200, schema: conversation },
    errors: { not_found: noMessages },
  }),

  unreadConversation: defineRoute({
    method: 'POST',
    paths: forSessions('/conversations/{number}/unread'),
    tag,
    summary: 'Mark the last received message of a conversation as unread',
    description:
      'For the whole workspace. Nothing changes if a message is already unread, or none was received.',
    response: { status: 200, schema: conversation },
    errors: { not_found: noMessages },
  }),

  listNotes: defineRoute({
    method: 'GET',
    paths: forSessions('/conversations/{number}/notes'),
    tag,
    summary: 'List the notes about a conversation, newest first',
    query: pagingQuery,
    response: { status: 200, schema: noteList },
    errors: { not_found: noMessages },
  }),

  listMentions: defineRoute({
    method: 'GET',
    paths: forSessions('/mentions'),
    tag,
    summary: 'List the notes that mention you, newest first',
    query: pagingQuery,
    response: { status: 200, schema: noteList },
  }),

  addNote: defineRoute({
    method: 'POST',
    paths: forSessions('/conversations/{number}/notes'),
    tag,
    summary: 'Add a note that only members see',
    body: addNoteRequest,
    response: { status: 201, schema: note },
    errors: {
      not_found: noMessages,
      invalid_params: notMember('mentions'),
      quota_exceeded: quotaExceeded(QUOTAS.notesPerConversation, 'notes per conversation').message,
    },
  }),

  editNote: defineRoute({
    method: 'PATCH',
    paths: forSessions('/conversations/{number}/notes/{noteId}'),
    tag,
    summary: 'Edit a note',
    description:
      'Replaces the text and the mentions of the note. Only the author of a note may edit it.',
    body: editNoteRequest,
    response: { status: 200, schema: note },
    errors: {
      not_found: 'The conversation has no such note, or it was removed',
      forbidden: 'Insufficient permissions for the resource: only the author of a note may edit it',
      invalid_params: notMember('mentions'),
    },
  }),

  removeNote: defineRoute({
    method: 'DELETE',
    paths: forSessions('/conversations/{number}/notes/{noteId}'),
    tag,
    summary: 'Remove a note',
    description:
      'Only the author of a note or an owner may remove it. The text is deleted; colleagues see that a note was removed.',
    response: { status: 200, schema: note },
    errors: {
      not_found: 'The conversation has no such note',
      forbidden:
        'Insufficient permissions for the resource: only the author of a note or an owner may remove it',
    },
  }),
};
