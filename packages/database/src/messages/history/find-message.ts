import { isUuid } from '@switchboard/core';
import type pg from 'pg';
import { runStatement } from '../../run-statement.ts';
import {
  STORED_MESSAGE_COLUMNS,
  STORED_MESSAGE_JOINS,
  type StoredMessage,
} from '../rows/stored-message.ts';

/** Finds a message of the workspace by its id or the provider's identifier. */
export async function findMessage(
  pool: pg.Pool,
  workspaceId: string,
  idOrSid: string,
): Promise<StoredMessage | null> {
  // No identifier contains NUL, and PostgreSQL rejects a text that does.
  if (idOrSid.includes('\0')) return null;
  const isOfMessage = isUuid(idOrSid)
    ? 'm.id = $2::uuid'
    : 'm.id IN (SELECT s.message_id FROM provider_sids s WHERE s.provider_sid = $2 AND s.workspace_id = $1::uuid)';
  const [message] = await runStatement<StoredMessage>(
    pool,
    `SELECT ${STORED_MESSAGE_COLUMNS} FROM messages m ${STORED_MESSAGE_JOINS}
     WHERE m.workspace_id = $1::uuid AND ${isOfMessage}`,
    [workspaceId, idOrSid],
  );
  return message ?? null;
}
