import type { Database } from '../database.ts';
import { MAX_ID } from '../messages/rows/id-range.ts';
import {
  STORED_MESSAGE_COLUMNS,
  STORED_MESSAGE_JOINS,
  type StoredMessage,
} from '../messages/rows/stored-message.ts';
import { named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';

export interface ThreadPage {
  /** Newest first. */
  messages: StoredMessage[];
  /** Where the next page starts; null at the end of the history. */
  next: string | null;
}

export type ReadThread = ReturnType<typeof createReadThread>;

const READ = `
SELECT ${STORED_MESSAGE_COLUMNS} FROM messages m ${STORED_MESSAGE_JOINS}
WHERE m.workspace_id = :workspaceId::uuid AND m.counterpart = :number AND m.id < :beforeId::uuid
ORDER BY m.id DESC LIMIT :limit::int`;

/** Reads the messages with a number, in both directions and in any state. Every page costs the same. */
export function createReadThread({ pool }: Pick<Database, 'pool'>) {
  return async (
    workspaceId: string,
    number: string,
    { after, size }: { after: string | null; size: number },
  ): Promise<ThreadPage> => {
    const found = await runStatement<StoredMessage>(
      pool,
      ...named(READ, { workspaceId, number, beforeId: after ?? MAX_ID, limit: size + 1 }),
    );
    const messages = found.slice(0, size);
    const hasMore = found.length > size;
    return { messages, next: hasMore ? (messages.at(-1)?.id ?? null) : null };
  };
}
