import { parseNote, refuse, routes } from '@switchboard/contracts';
import type { Clock, EventBus } from '@switchboard/core';
import type { ConversationStore, NoteStore } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';
import { toNote } from '../wire/to-conversation.ts';

export interface NoteRouteDependencies {
  conversations: Pick<ConversationStore, 'find'>;
  notes: NoteStore;
  clock: Clock;
  publishLater: EventBus['publishLater'];
}

export function registerNoteRoutes(
  registerRoute: RegisterRoute,
  { conversations, notes, clock, publishLater }: NoteRouteDependencies,
): void {
  registerRoute(routes.listNotes, async ({ workspaceId, params: { number }, query }) => {
    if ((await conversations.find(workspaceId, number)) === null) {
      throw refuse(routes.listNotes, 'not_found');
    }
    return respondWithPage(query, (page) => notes.list(workspaceId, number, page), toNote);
  });

  registerRoute(routes.listMentions, ({ workspaceId, session, query }) =>
    respondWithPage(
      query,
      (page) => notes.listMentions(workspaceId, session.user.id, page),
      toNote,
    ),
  );

  registerRoute(routes.addNote, async ({ workspaceId, params: { number }, session, body }) => {
    if ((await conversations.find(workspaceId, number)) === null) {
      throw refuse(routes.addNote, 'not_found');
    }
    const note = { number, authorId: session.user.id, ...parseNote(body) };
    const created = await notes.create(workspaceId, note, new Date(clock.now()));
    if (created === 'not_member') throw refuse(routes.addNote, 'invalid_params');
    if (created === 'quota_exceeded') throw refuse(routes.addNote, 'quota_exceeded');
    const mentioned = created.mentions.map(({ id }) => id);
    publishLater({ kind: 'inbox', workspaceId, number, noteId: created.id, mentioned });
    return toNote(created);
  });

  registerRoute(routes.editNote, async ({ workspaceId, params, actor, body }) => {
    const { number, noteId: id } = params;
    const change = { number, id, authorId: actor.userId, ip: actor.ip, ...parseNote(body) };
    const edited = await notes.edit(workspaceId, change, new Date(clock.now()));
    if (edited === 'missing') throw refuse(routes.editNote, 'not_found');
    if (edited === 'forbidden') throw refuse(routes.editNote, 'forbidden');
    if (edited === 'not_member') throw refuse(routes.editNote, 'invalid_params');
    const mentioned = edited.addedMentions;
    publishLater({ kind: 'inbox', workspaceId, number, noteId: id, mentioned });
    return toNote(edited);
  });

  registerRoute(routes.removeNote, async ({ workspaceId, params, actor, request }) => {
    const { number, noteId: id } = params;
    const by = { ...actor, isOwner: request.membership.role === 'owner' };
    const removed = await notes.remove(workspaceId, { number, id }, by, new Date(clock.now()));
    if (removed === 'missing') throw refuse(routes.removeNote, 'not_found');
    if (removed === 'forbidden') throw refuse(routes.removeNote, 'forbidden');
    publishLater({ kind: 'inbox', workspaceId, number, noteId: id });
    return toNote(removed);
  });
}
