import { type MessageStatus, type Outcome, outcomeOf } from '@switchboard/core';
import type { Database } from '../database.ts';
import { firstIdOf } from '../messages/rows/id-range.ts';
import { runStatement } from '../run-statement.ts';

/** The messages that were handed to an account, by outcome. */
export type AccountShare = { providerId: string; messages: number } & Record<Outcome, number>;

export interface AccountShares {
  /** The accounts that sent messages, those with the most messages first. */
  accounts: AccountShare[];
  /** False if only the newest messages were counted. */
  isComplete: boolean;
}

interface Row {
  /** Null for messages that count for no account. */
  id: string | null;
  status: MessageStatus;
  messages: number;
}

/** Limits the cost of the query in a workspace that sends many messages. */
const COUNTED = 10_000;

export type CountShares = ReturnType<typeof createCountShares>;

/**
 * Counts, by account and outcome, the messages of a workspace that were created since a time and handed to a
 * provider. Reads at most the newest 10,000 messages, in the order of the index.
 */
export function createCountShares({ pool }: Pick<Database, 'pool'>) {
  return async (workspaceId: string, since: Date): Promise<AccountShares> => {
    const rows = await runStatement<Row>(
      pool,
      `WITH newest AS (
         SELECT direction, provider_id, attempt, status FROM messages
         WHERE workspace_id = $1::uuid AND id >= $2::uuid
         ORDER BY id DESC LIMIT ${COUNTED}
       )
       SELECT p.id, m.status, count(*)::int AS messages
       FROM newest m
       LEFT JOIN provider_accounts p
         ON p.workspace_id = $1::uuid AND p.id = m.provider_id
           AND m.direction = 'outbound' AND m.attempt > 0
       GROUP BY 1, 2 ORDER BY 1`,
      [workspaceId, firstIdOf(since)],
    );
    const read = rows.reduce((sum, { messages }) => sum + messages, 0);
    return { accounts: sumByAccount(rows), isComplete: read < COUNTED };
  };
}

function sumByAccount(rows: readonly Row[]): AccountShare[] {
  const byId = new Map<string, AccountShare>();
  for (const { id, status, messages } of rows) {
    const outcome = outcomeOf(status);
    if (id === null || outcome === null) continue;
    const account = byId.get(id) ?? {
      providerId: id,
      messages: 0,
      delivered: 0,
      failed: 0,
      open: 0,
    };
    account.messages += messages;
    account[outcome] += messages;
    byId.set(id, account);
  }
  return [...byId.values()].sort((a, b) => b.messages - a.messages);
}
