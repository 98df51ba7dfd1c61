import type { InboxFrame } from '@switchboard/contracts';
import type { BusNotification, EventBus } from '@switchboard/core';
import type { ConversationStore, NoteStore } from '@switchboard/database';
import { sendFrame } from './connection.ts';
import { serializeFrame } from './event-frames.ts';
import type { Hub } from './hub.ts';
import { toConversation, toNote } from '../wire/to-conversation.ts';

type Change = Extract<BusNotification, { kind: 'inbox' }>;

export interface InboxFramesOptions {
  bus: Pick<EventBus, 'subscribe'>;
  hub: Pick<Hub, 'findSessions'>;
  conversations: Pick<ConversationStore, 'find'>;
  notes: Pick<NoteStore, 'find'>;
  onError(error: unknown): void;
}

/**
 * Sends changes of conversations and of notes to the sessions that follow the workspace. The event
 * log does not contain them: a frame has the current state, and a client that reconnects fetches
 * the state again.
 */
export function sendInboxFrames(options: InboxFramesOptions): { close(): Promise<void> } {
  const { bus, hub, conversations, notes, onError } = options;
  // One at a time, so that an older state never follows a newer one.
  let sending = Promise.resolve();

  async function readFrame({
    workspaceId,
    number,
    noteId,
    ...change
  }: Change): Promise<InboxFrame | null> {
    const head = { workspace_id: workspaceId };
    if (noteId === null) {
      const conversation = await conversations.find(workspaceId, number);
      if (conversation === null) return null;
      return {
        type: 'conversation.updated',
        ...head,
        conversation: toConversation(conversation),
        assigned_by: change.assignedBy ?? null,
      };
    }
    const note = await notes.find(workspaceId, noteId);
    if (note === null) return null;
    const isNew = note.removedAt === null && note.editedAt === null;
    const type = isNew ? 'note.created' : 'note.updated';
    const { mentioned = [] } = change;
    return {
      type,
      ...head,
      note: toNote(note),
      ...(mentioned.length > 0 && { newly_mentioned: [...mentioned] }),
    };
  }

  async function send(change: Change): Promise<void> {
    const frame = await readFrame(change);
    if (frame === null) return;
    const serialized = serializeFrame(frame);
    for (const connection of hub.findSessions(change.workspaceId)) {
      sendFrame(connection, serialized);
    }
  }

  const unsubscribe = bus.subscribe((notification) => {
    if (notification.kind !== 'inbox') return;
    if (hub.findSessions(notification.workspaceId).length === 0) return;
    sending = sending.then(() => send(notification)).catch(onError);
  });

  return {
    async close() {
      unsubscribe();
      await sending;
    },
  };
}
