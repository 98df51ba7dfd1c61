import { openTestDatabase } from '@switchboard/testing';
import type { Stack } from './start-stack.ts';

/** Returns the phone number of a conversation, counted from 0. */
export const numberOf = (n: number): string => `+1415${String(2_000_000 + n)}`;

/** Stores conversations with one received message each; the last one is the latest. */
export async function fillConversations(stack: Stack, count: number): Promise<void> {
  const database = openTestDatabase(stack.database.url);
  try {
    await database.pool.query(
      `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
         created_at, updated_at, dispatch)
       SELECT uuid_v7(at), $1, 'inbound', '+15005550006', '+1415' || (2000000 + n),
         'Hello from ' || n, 1, 'received', at, at, 'accepted'
       FROM generate_series(0, $2::int - 1) n,
         LATERAL (SELECT now() - interval '1 hour' - ($2::int - n) * interval '1 second' AS at) t`,
      [stack.owner.workspaceId, count],
    );
    // As autovacuum does within a minute: without statistics, a search of 50,000 conversations takes ten seconds.
    await database.pool.query('ANALYZE messages');
  } finally {
    await database.close();
  }
}
