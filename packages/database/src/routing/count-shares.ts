import type { Database } from '../database.ts';
import { firstIdOf } from '../messages/id-range.ts';
import { runStatement } from '../run-statement.ts';

export interface AccountShares {
  /** The accounts that sent messages, those with the most messages first. */
  accounts: { providerId: string; messages: number }[];
  /** False if only the newest messages were counted. */
  isComplete: boolean;
}

/** Limits the cost of the query in a workspace that sends many messages. */
const COUNTED = 10_000;

export type CountShares = ReturnType<typeof createCountShares>;

/**
 * Counts, by account, the messages of a workspace that were created since a time and handed to a
 * provider. Reads at most the newest 10,000 messages, in the order of the index.
 */
export function createCountShares({ pool }: Pick<Database, 'pool'>) {
  return async (workspaceId: string, since: Date): Promise<AccountShares> => {
    const rows = await runStatement<{ id: string | null; messages: number; read: number }>(
      pool,
      `WITH newest AS (
         SELECT direction, provider_account, attempt FROM messages
         WHERE workspace_id = $1::uuid AND id >= $2::uuid
         ORDER BY id DESC LIMIT ${COUNTED}
       )
       SELECT p.id, count(*)::int AS messages, (SELECT count(*)::int FROM newest) AS read
       FROM newest m
       LEFT JOIN provider_accounts p
         ON p.workspace_id = $1::uuid AND p.account_sid = m.provider_account
           AND m.direction = 'outbound' AND m.attempt > 0
       GROUP BY p.id ORDER BY 2 DESC, 1`,
      [workspaceId, firstIdOf(since)],
    );
    return {
      accounts: rows.flatMap(({ id, messages }) =>
        id === null ? [] : [{ providerId: id, messages }],
      ),
      isComplete: (rows[0]?.read ?? 0) < COUNTED,
    };
  };
}
