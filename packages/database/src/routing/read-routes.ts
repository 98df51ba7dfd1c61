import {
  type MessageKey,
  type RoutedAccount,
  type RoutedMessage,
  type Routing,
  createBatch,
} from '@switchboard/core';
import { anyLength } from '../array-parameter.ts';
import type { Database } from '../database.ts';
import { IS_SENDER_OF_ACCOUNT } from '../phone-numbers/sender-account.ts';
import { type Prepared, runStatement } from '../run-statement.ts';

/** The routing of a workspace, as it is now. */
export interface WorkspaceRoutes extends Routing {
  /** One account and no rules: every message takes the same route. */
  isPlain: boolean;
}

/** A message that waits for a route. */
export interface UnroutedMessage extends RoutedMessage {
  version: number;
}

/** Reads the input of routing decisions. Concurrent calls share a statement. */
export interface RouteReader {
  /** Omits the senders if the routing is plain, because a workspace may have many. */
  readRoutes(workspaceId: string): Promise<WorkspaceRoutes>;
  /** Reads the complete routing. */
  readAllRoutes(workspaceId: string): Promise<WorkspaceRoutes>;
  /** Returns null if there is no such message. */
  readMessage(key: MessageKey): Promise<UnroutedMessage | null>;
  /** Returns null if the workspace and the number have exchanged no message. */
  readConversationSender(workspaceId: string, number: string): Promise<string | null>;
}

const ACCOUNTS: Prepared = {
  name: 'read_routed_accounts',
  text: `
SELECT p.workspace_id AS "workspaceId", p.id, p.vendor_account_id AS "vendorAccountId", p.type, p.is_default AS "isDefault",
  NOT p.enabled OR p.refused_since IS NOT NULL OR p.failing_since IS NOT NULL AS "isPaused",
  EXTRACT(EPOCH FROM now() - p.recovered_at)::float8 * 1000 AS "recoveredForMs",
  p.sender_pool IS NOT NULL AS "hasSenderPool",
  COALESCE(r.rules, '[]') AS rules, COALESCE(r.failover, false) AS failover
FROM provider_accounts p LEFT JOIN workspace_routing r ON r.workspace_id = p.workspace_id
WHERE p.workspace_id = ANY(${anyLength('$1', 'uuid')}) ORDER BY p.id`,
};

const SENDERS: Prepared = {
  name: 'read_routed_senders',
  text: `
SELECT p.id AS "providerId", n.number, n.kind, n.is_default AS "isDefault"
FROM provider_accounts p JOIN phone_numbers n ON ${IS_SENDER_OF_ACCOUNT}
WHERE p.workspace_id = ANY(${anyLength('$1', 'uuid')}) ORDER BY n.id`,
};

/** The own number of the latest message with a number outside, in either direction. */
const conversationSender = (workspaceId: string, number: string): string => `(
  SELECT c.sender FROM (
    SELECT m.id, CASE m.direction WHEN 'inbound' THEN m."to" ELSE m."from" END AS sender FROM messages m
    WHERE m.workspace_id = ${workspaceId} AND m.counterpart = ${number}
  ) c WHERE c.sender IS NOT NULL ORDER BY c.id DESC LIMIT 1)`;

const MESSAGES: Prepared = {
  name: 'read_unrouted_messages',
  growsWith: ['message_progress', 'message_records'],
  text: `
SELECT m.workspace_id AS "workspaceId", m.id, m.version, m."to", m."from", m.attempt, m.resends, m.proved_resends AS "provedResends",
  jsonb_array_length(m.media) > 0 AS "hasMedia", m.provider_id AS "providerId", m.vendor_account_id AS "vendorAccountId", COALESCE(m.failed_accounts, '{}') AS "failedAccounts",
  CASE WHEN m."from" IS NULL THEN ${conversationSender('m.workspace_id', 'm."to"')}
    END AS "conversationSender"
FROM unnest(${anyLength('$1', 'uuid')}, ${anyLength('$2', 'uuid')}) AS k(workspace_id, id)
JOIN messages m ON m.workspace_id = k.workspace_id AND m.id = k.id`,
};

const CONVERSATION: Prepared = {
  name: 'read_conversation_sender',
  growsWith: ['message_progress', 'message_records'],
  text: `SELECT ${conversationSender('$1::uuid', '$2::text')} AS sender`,
};

const BATCH = { maxSize: 500, concurrency: 1, maxWaiting: 20_000 };

type AccountRow = Omit<RoutedAccount, 'senders'> &
  Pick<Routing, 'rules' | 'failover'> & { workspaceId: string };
type SenderRow = RoutedAccount['senders'][number] & { providerId: string };

export function createRouteReader({ pool }: Pick<Database, 'pool'>): RouteReader {
  async function readAll(
    workspaceIds: readonly string[],
    { ofPlain = false } = {},
  ): Promise<WorkspaceRoutes[]> {
    const accounts = await runStatement<AccountRow>(pool, ACCOUNTS, [[...new Set(workspaceIds)]]);
    const grouped = new Map<string, AccountRow[]>();
    for (const account of accounts) {
      grouped.set(account.workspaceId, [...(grouped.get(account.workspaceId) ?? []), account]);
    }
    const isPlain = (rows: readonly AccountRow[]) =>
      rows.length < 2 && (rows[0]?.rules.length ?? 0) === 0;
    const routed = [...grouped].filter(([, rows]) => ofPlain || !isPlain(rows)).map(([id]) => id);
    const senders =
      routed.length === 0 ? [] : await runStatement<SenderRow>(pool, SENDERS, [routed]);
    return workspaceIds.map((workspaceId) => {
      const rows = grouped.get(workspaceId) ?? [];
      return {
        isPlain: isPlain(rows),
        rules: rows[0]?.rules ?? [],
        failover: rows[0]?.failover ?? false,
        accounts: rows.map((row) => ({
          ...row,
          senders: senders.filter(({ providerId }) => providerId === row.id),
        })),
      };
    });
  }

  return {
    readRoutes: createBatch<string, WorkspaceRoutes>({ ...BATCH, run: (ids) => readAll(ids) }),
    async readAllRoutes(workspaceId) {
      const [routes] = await readAll([workspaceId], { ofPlain: true });
      return routes ?? { isPlain: true, accounts: [], rules: [], failover: false };
    },
    readMessage: createBatch<MessageKey, UnroutedMessage | null>({
      ...BATCH,
      async run(keys) {
        const rows = await runStatement<UnroutedMessage & { workspaceId: string }>(pool, MESSAGES, [
          keys.map(({ workspaceId }) => workspaceId),
          keys.map(({ id }) => id),
        ]);
        const byKey = new Map(rows.map((row) => [`${row.workspaceId} ${row.id}`, row]));
        return keys.map(({ workspaceId, id }) => byKey.get(`${workspaceId} ${id}`) ?? null);
      },
    }),
    async readConversationSender(workspaceId, number) {
      const values = [workspaceId, number];
      const [row] = await runStatement<{ sender: string | null }>(pool, CONVERSATION, values);
      return row?.sender ?? null;
    },
  };
}
