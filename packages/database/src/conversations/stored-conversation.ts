import type pg from 'pg';
import { findOptedOutForms } from '../opt-outs/opt-out-forms.ts';
import type { StoredContact } from '../contacts/stored-contact.ts';
import { STORED_MESSAGE_COLUMNS, type StoredMessage } from '../messages/rows/stored-message.ts';

export interface StoredConversation {
  /** The number of the other party. */
  number: string;
  lastMessage: StoredMessage;
  contact: StoredContact | null;
  /** Received messages that no member has read; at most `UNREAD_COUNTED`. */
  unreadCount: number;
  assignee: { id: string; name: string } | null;
  isClosed: boolean;
  isOptedOut: boolean;
  /** A received text may be an opt-out, and no member has decided it. */
  isOptOutSuspected: boolean;
}

export interface ConversationRow extends StoredMessage {
  number: string;
  contact: (Omit<StoredContact, 'createdAt' | 'updatedAt'> & Record<string, string>) | null;
  unreadCount: number;
  assignee: StoredConversation['assignee'];
  isClosed: boolean;
  /** The number itself has opted out. */
  isOptedOut: boolean;
  isMarked: boolean;
}

const UNREAD_COUNTED = 100;

/** Selects `what` of the messages that the workspace received from a number, by an index. */
const selectReceived = (what: string, number: string, more: string): string =>
  `SELECT ${what} FROM messages r WHERE r.workspace_id = :workspaceId::uuid AND r.counterpart = ${number}
     AND r.direction = 'inbound' ${more}`;

/*
 * Both states, read and closed, are positions in the received messages, so that no message writes to its
 * conversation. `c` is the row of the conversation, which may be absent, and `w` the workspace.
 */
const AFTER_READ = 'AND r.id > COALESCE(c.read_up_to, w.inbox_since)';

/** Returns the condition that a conversation has an unread message. */
export const isUnread = (number: string): string =>
  `EXISTS (${selectReceived('1', number, AFTER_READ)})`;

/** Returns the condition that a conversation is closed, and no message has been received since. */
export const isClosed = (number: string): string =>
  `(c.closed_after IS NOT NULL
    AND NOT EXISTS (${selectReceived('1', number, 'AND r.id > c.closed_after')}))`;

const selectLastReceived = (number: string, skipped: number): string =>
  `COALESCE((${selectReceived('r.id', number, `ORDER BY r.id DESC LIMIT 1 OFFSET ${skipped}`)}),
     '00000000-0000-0000-0000-000000000000'::uuid)`;

/**
 * Returns the SQL for the id of the last message that was received from a number, or the lowest id.
 */
export const lastReceivedFrom = (number: string): string => selectLastReceived(number, 0);

/** Returns the SQL for the id of the second-to-last message, or the lowest id. */
export const beforeLastReceivedFrom = (number: string): string => selectLastReceived(number, 1);

/** Selects a contact of the workspace. */
const selectContact = (from: string, where: string): string => `
  SELECT json_build_object('id', k.id, 'number', k.number, 'otherNumbers', k.other_numbers,
     'name', k.name, 'fields', k.fields, 'tags', k.tags,
     'createdAt', k.created_at, 'updatedAt', k.updated_at)
  FROM ${from} k WHERE k.workspace_id = :workspaceId::uuid AND ${where} LIMIT 1`;

/**
 * Selects the contact that has a number among its other numbers. The number alone selects the rows, by its index: with
 * the workspace, or the limit, PostgreSQL may read all contacts of the workspace, for example before it has statistics.
 */
const selectByOtherNumber = (number: string): string => `
  WITH with_number AS MATERIALIZED (SELECT * FROM contacts WHERE other_numbers @> ARRAY[${number}])
  ${selectContact('with_number', 'true')}`;

/** The select list of a `ConversationRow`, from `f` with the number and `m`, its last message. */
export const CONVERSATION_COLUMNS = `
  f.number, ${STORED_MESSAGE_COLUMNS}, ${isClosed('f.number')} AS "isClosed",
  (SELECT count(*) FROM (
     ${selectReceived('1', 'f.number', `${AFTER_READ} LIMIT ${UNREAD_COUNTED}`)}
   ) unread) AS "unreadCount",
  EXISTS (SELECT FROM opt_outs o
    WHERE o.workspace_id = :workspaceId::uuid AND o.number = f.number) AS "isOptedOut",
  COALESCE(c.opt_out_suspected, false) AS "isMarked",
  (SELECT json_build_object('id', u.id, 'name', u.name) FROM users u
   WHERE u.id = c.assignee_id) AS assignee,
  COALESCE((${selectContact('contacts', 'k.number = f.number')}),
    (${selectByOtherNumber('f.number')})) AS contact`;

/** Reads the conversations of a workspace from the rows of a statement. */
export async function toConversations(
  pool: pg.Pool,
  workspaceId: string,
  rows: readonly ConversationRow[],
): Promise<StoredConversation[]> {
  const numbers = rows.map(({ number }) => ({ workspaceId, number, hasErased: true }));
  const optedOut = await findOptedOutForms(pool, numbers);
  return rows.map((row, index) => toConversation(row, row.isOptedOut || optedOut[index] === true));
}

function toConversation(row: ConversationRow, isOptedOut: boolean): StoredConversation {
  const { number, contact, unreadCount, assignee, isClosed: closed, isMarked } = row;
  return {
    number,
    lastMessage: row,
    contact:
      contact === null
        ? null
        : {
            ...contact,
            createdAt: new Date(contact['createdAt'] ?? ''),
            updatedAt: new Date(contact['updatedAt'] ?? ''),
          },
    unreadCount,
    assignee,
    isClosed: closed,
    isOptedOut,
    // Every opt-out confirms it, also one by STOP or by the provider.
    isOptOutSuspected: isMarked && !isOptedOut,
  };
}
