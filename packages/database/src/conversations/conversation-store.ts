import { liveWorkspaceOf } from '@switchboard/core';
import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';
import { createFindConversation } from './list-conversations.ts';
import {
  type StoredConversation,
  beforeLastReceivedFrom,
  lastReceivedFrom,
} from './stored-conversation.ts';

/** The state of a team's work on the messages with a number. */
export interface ConversationStore {
  /** Returns null if there is no message from or to the number. */
  find(workspaceId: string, number: string): Promise<StoredConversation | null>;
  /**
   * Changes the state of a conversation. `not_member`: the assignee is not a member of the
   * workspace.
   */
  change(
    workspaceId: string,
    number: string,
    change: { isClosed?: boolean; assigneeId?: string | null; isOptOutSuspected?: false },
    at: Date,
  ): Promise<StoredConversation | 'missing' | 'not_member'>;
  /**
   * Marks received messages up to this one, or all, as read. Returns whether any was unread, or
   * null if there is no message.
   */
  markRead(
    workspaceId: string,
    number: string,
    messageId: string | null,
    at: Date,
  ): Promise<Marked | null>;
  /**
   * Marks the last received message as unread. Does nothing if one is already unread, or none was
   * received. Returns null if there is no message.
   */
  markUnread(workspaceId: string, number: string, at: Date): Promise<Marked | null>;
}

interface Marked {
  conversation: StoredConversation;
  hasChanged: boolean;
}

// A message that is received from now on has a higher id than all received before.
const MARK_READ = `
INSERT INTO conversations AS c (workspace_id, number, read_up_to, updated_at)
SELECT :workspaceId::uuid, :number::text, LEAST(${lastReceivedFrom(':number::text')}, :messageId::uuid), :at
ON CONFLICT (workspace_id, number) DO UPDATE SET read_up_to = excluded.read_up_to
WHERE c.read_up_to IS NULL OR c.read_up_to < excluded.read_up_to
RETURNING 1`;

const MARK_UNREAD = `
INSERT INTO conversations AS c (workspace_id, number, read_up_to, updated_at)
SELECT :workspaceId::uuid, :number::text, ${beforeLastReceivedFrom(':number::text')}, :at
ON CONFLICT (workspace_id, number) DO UPDATE SET read_up_to = excluded.read_up_to
RETURNING 1`;

export function createConversationStore({ prisma, pool }: Database): ConversationStore {
  const find = createFindConversation({ pool });

  async function isMember(workspaceId: string, userId: string): Promise<boolean> {
    const where = { workspaceId: liveWorkspaceOf(workspaceId), userId };
    return (await prisma.member.count({ where })) > 0;
  }

  return {
    find,

    async change(workspaceId, number, { isClosed, assigneeId, isOptOutSuspected }, at) {
      if ((await find(workspaceId, number)) === null) return 'missing';
      if (assigneeId != null && !(await isMember(workspaceId, assigneeId))) return 'not_member';
      const closedAfter = isClosed === true ? lastReceivedFrom(':number::text') : 'NULL::uuid';
      const set = [
        ...(isClosed === undefined ? [] : ['closed_after = excluded.closed_after']),
        ...(assigneeId === undefined ? [] : ['assignee_id = excluded.assignee_id']),
        ...(isOptOutSuspected === undefined ? [] : ['opt_out_suspected = false']),
        'updated_at = excluded.updated_at',
      ];
      const insert = `
        INSERT INTO conversations (workspace_id, number, closed_after, assignee_id, updated_at)
        SELECT :workspaceId::uuid, :number::text, ${closedAfter}, :assigneeId::uuid, :at
        ON CONFLICT (workspace_id, number) DO UPDATE SET ${set.join(', ')}`;
      const values = { workspaceId, number, assigneeId: assigneeId ?? null, at };
      await runStatement(pool, ...named(insert, values));
      return (await find(workspaceId, number)) ?? 'missing';
    },

    async markRead(workspaceId, number, messageId, at) {
      const before = await find(workspaceId, number);
      if (before === null) return null;
      if (before.unreadCount === 0) return { conversation: before, hasChanged: false };
      const values = { workspaceId, number, messageId, at };
      const written = await runStatement(pool, ...named(MARK_READ, values));
      const conversation = (await find(workspaceId, number)) ?? before;
      return { conversation, hasChanged: written.length > 0 };
    },

    async markUnread(workspaceId, number, at) {
      const before = await find(workspaceId, number);
      if (before === null) return null;
      if (before.unreadCount > 0) return { conversation: before, hasChanged: false };
      const values = { workspaceId, number, at };
      await runStatement(pool, ...named(MARK_UNREAD, values));
      const conversation = (await find(workspaceId, number)) ?? before;
      return { conversation, hasChanged: conversation.unreadCount > 0 };
    },
  };
}
