import { runStatement } from '../run-statement.ts';
import type { Database } from '../database.ts';
import { STORED_MESSAGE_COLUMNS, type StoredMessage } from './stored-message.ts';

export interface StoredConversation {
  /** The number of the other party. */
  number: string;
  lastMessage: StoredMessage;
}

export interface ConversationPage {
  conversations: StoredConversation[];
  /** Where the next page starts; null at the end of the history. */
  next: string | null;
}

export type ListConversations = ReturnType<typeof createListConversations>;

const PAGE_SIZE = 50;
/** How many messages one page may read, so that no history makes it slow. */
const SCANNED = 5_000;

// The last message of a number has no later message of that number: two index look-ups for each
// message that is read. The indexes have the status before the id, so all statuses are named, and a
// look-up goes directly to the position of a later message. The number of scanned messages matters
// only if they do not fill the page, because a full page ends the scan.
const SQL = `
WITH scanned AS MATERIALIZED (
  SELECT m.id, CASE m.direction WHEN 'inbound' THEN m."from" ELSE m."to" END AS number
  FROM messages m
  WHERE m.workspace_id = $1::uuid AND ($2::uuid IS NULL OR m.id < $2::uuid)
  ORDER BY m.id DESC LIMIT ${SCANNED}
), found AS MATERIALIZED (
  SELECT s.id, s.number FROM scanned s
  WHERE s.number IS NOT NULL
    AND NOT EXISTS (
      SELECT 1 FROM messages n WHERE n.workspace_id = $1::uuid AND n."to" = s.number
        AND n.direction = 'outbound' AND n.status = ANY (enum_range(NULL::message_status))
        AND n.id > s.id)
    AND NOT EXISTS (
      SELECT 1 FROM messages n WHERE n.workspace_id = $1::uuid AND n."from" = s.number
        AND n.direction = 'inbound' AND n.status = ANY (enum_range(NULL::message_status))
        AND n.id > s.id)
  ORDER BY s.id DESC LIMIT ${PAGE_SIZE}
)
SELECT f.number, ${STORED_MESSAGE_COLUMNS},
  e.scanned, e."lastScanned"
FROM (
  SELECT count(*) AS scanned, (array_agg(s.id ORDER BY s.id))[1] AS "lastScanned" FROM scanned s
  WHERE (SELECT count(*) FROM found) < ${PAGE_SIZE}
) e LEFT JOIN found f ON true LEFT JOIN messages m ON m.id = f.id
ORDER BY f.id DESC`;

interface Row extends StoredMessage {
  number: string | null;
  scanned: number;
  lastScanned: string | null;
}

/**
 * Creates the list of the numbers that a workspace has exchanged messages with, by the last message,
 * newest first.
 */
export function createListConversations({ pool }: Pick<Database, 'pool'>) {
  return async function listConversations(
    workspaceId: string,
    after: string | null,
  ): Promise<ConversationPage> {
    const rows = await runStatement<Row>(pool, SQL, [workspaceId, after]);
    const conversations = rows.flatMap((row) =>
      row.number === null ? [] : [{ number: row.number, lastMessage: row }],
    );
    return { conversations, next: findNext(rows, conversations) };
  };
}

function findNext(
  [first]: readonly Row[],
  conversations: readonly StoredConversation[],
): string | null {
  if (conversations.length === PAGE_SIZE) return conversations.at(-1)?.lastMessage.id ?? null;
  return first !== undefined && first.scanned >= SCANNED ? first.lastScanned : null;
}
