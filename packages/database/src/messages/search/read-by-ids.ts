import type pg from 'pg';
import {
  STORED_MESSAGE_COLUMNS,
  STORED_MESSAGE_JOINS,
  type StoredMessage,
} from '../rows/stored-message.ts';
import { runStatement } from '../../run-statement.ts';

const READ = `
SELECT ${STORED_MESSAGE_COLUMNS} FROM messages m ${STORED_MESSAGE_JOINS}
WHERE m.workspace_id = $1::uuid AND m.id = ANY ($2::uuid[]) ORDER BY m.id DESC`;

/** Reads messages by their ids, newest first. */
export async function readByIds(
  pool: pg.Pool,
  workspaceId: string,
  ids: readonly string[],
): Promise<StoredMessage[]> {
  return ids.length === 0 ? [] : runStatement<StoredMessage>(pool, READ, [workspaceId, ids]);
}
